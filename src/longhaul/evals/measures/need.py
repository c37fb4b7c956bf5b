"""How much of what the next ten assistant messages did a text names: files and commands.

Due is all that they used, also what nobody had named before the compaction, so that no text keeps
all of it; what the kept window still shows is due too. The measures see names, not what is known of
them, and a list of every file there is raises them. More is better.
"""

from longhaul.compaction.white_space import fold_space
from longhaul.evals.measures.amounts import Count, count_kept
from longhaul.evals.measures.file_names import names_exactly, names_file
from longhaul.evals.measures.mentions import Wanted
from longhaul.evals.measures.subject import Subject


def need(subject: Subject) -> Count:
    """Return the paths and the commands that stand in the text just so, white space folded.

    Due are the paths that the tools `read`, `write` and `edit` were given, and the steps of shell
    commands as `normalized_commands` has them. A path in other words (absolute, say) is lost.
    """
    return _exact(subject, with_recall=False)


def need_with_recall(subject: Subject) -> Count:
    """Return the same, and for Longhaul's arms also what `longhaul_recall` finds if asked for it.

    It finds what an entry before the cut holds. No model is asked whether it would ask.
    """
    return _exact(subject, with_recall=subject.state is not None)


def files(subject: Subject) -> Count:
    """Return the files that the tools `read`, `write` and `edit` touched and the text names.

    Due is a file's name without folders; files of the same name are one.
    """
    return _by_name(subject, _wanted(subject).files)


def artifacts(subject: Subject) -> Count:
    """Return the files inside commands that the text names, by their names without folders.

    Due is what ends as files do or is the name of a usual one; a file without such an ending, and
    one that a pattern or a variable stands for, are not seen.
    """
    return _by_name(subject, _wanted(subject).artifacts)


def _wanted(subject: Subject) -> Wanted:
    return subject.occasion.mentions.after(subject.occasion.cut)


def _exact(subject: Subject, *, with_recall: bool) -> Count:
    wanted, text = _wanted(subject), fold_space(subject.text)
    found = wanted.recalled if with_recall else frozenset[str]()
    names = dict.fromkeys((*wanted.paths, *wanted.commands))
    return count_kept((name, name in found or names_exactly(text, name)) for name in names)


def _by_name(subject: Subject, due: tuple[str, ...]) -> Count:
    return count_kept((name, names_file(subject.text, name)) for name in due)
