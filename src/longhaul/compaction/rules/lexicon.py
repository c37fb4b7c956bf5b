# ruff: noqa: RUF001, E501 - words of many languages, one class a block
"""Classes of words that say how long, how general and how binding a sentence is meant to be.

One table for the languages people type to a coding agent. An underscore joins the words of a phrase.
"""

_CLASSES = """
always: always invariably consistently every_time each_time at_all_times without_exception immer stets jedes_mal jedesmal ausnahmslos toujours systématiquement à_chaque_fois chaque_fois siempre cada_vez sempre ogni_volta toda_vez всегда каждый_раз постоянно zawsze za_każdym_razem alltid varje_gång altijd telkens elke_keer altid hver_gang aina her_zaman luôn luôn_luôn mỗi_lần
never: never ever not_once under_no_circumstances nie niemals jamais nunca jamás mai никогда ни_в_коем_случае nigdy aldrig nooit koskaan asla đừng_bao_giờ
fromnow: from_now_on from_now from_here_on from_here_on_out from_this_point going_forward moving_forward henceforth hereafter in_future in_the_future as_of_today as_of_now from_today from_today_on from_then_on starting_today starting_now ab_sofort ab_jetzt ab_heute von_jetzt_an künftig zukünftig in_zukunft fortan dorénavant désormais à_partir_de_maintenant à_l'avenir a_partir_de_ahora de_ahora_en_adelante desde_ahora en_adelante d'ora_in_poi d'ora_in_avanti da_ora_in_poi da_oggi a_partir_de_agora daqui_em_diante daqui_para_frente впредь отныне с_этого_момента с_сегодняшнего_дня теперь od_teraz od_dziś na_przyszłość framöver från_och_med_nu från_nu voortaan vanaf_nu fremover fra_nå bundan_sonra từ_giờ từ_nay
until: until till til as_long_as so_long_as for_as_long_as while during bis solange während jusqu'à jusqu'au tant_que pendant hasta mientras finché fino_a fino_al mentre até enquanto пока до_тех_пор dopóki aż_do tills så_länge medan zolang totdat terwijl so_lenge inntil kunnes
whenever: whenever any_time anytime each_time every_time wherever everywhere anywhere throughout across jedes_mal_wenn immer_wenn wann_immer überall chaque_fois_que partout cada_vez_que siempre_que dondequiera en_todas_partes ogni_volta_che ovunque sempre_que везде kiedykolwiek wszędzie överallt overal
if: if unless in_case once when wenn falls sofern sobald si quand lorsque dès_que cuando quando se qualora если когда gdy jeśli kiedy jak när om als wanneer når hvis kun jos eğer nếu khi
before: before after prior_to bevor vor nach nachdem avant après antes_de después_de prima_di dopo antes depois перед после przed po innan efter voor na trước sau
univ: every each any all whatever whichever anything everything nothing nowhere nobody none everyone everybody anyone anybody no_one neither both jede jeder jedes jeden jedem alle aller alles allen allem sämtliche nichts niemand chaque tout toute tous toutes rien aucun aucune personne cada todo toda todos todas cualquier nada ninguno ningún ninguna ogni tutto tutti tutte tutta qualsiasi niente nessun nessuna qualquer nenhum каждый каждая каждое каждого каждой каждом каждую все всех всё любой любая любые любого ничего никто każdy każda każde każdego każdej wszystkie wszystko wszystkich żaden nic varje alla allt ingenting inget ingen elk elke alles niets hver hele kaikki her_bir bütün mọi tất_cả
general: by_default in_general generally as_a_rule as_a_matter_of_principle usually normally as_usual standard default on_principle policy convention conventions habit grundsätzlich generell prinzipiell in_der_regel normalerweise üblich standardmäßig immer_so en_général par_défaut d'habitude normalement por_defecto en_general por_norma normalmente di_solito di_default in_generale di_norma por_padrão em_geral normalmente по_умолчанию вообще обычно как_правило domyślnie zwykle generalnie som_standard normalt vanligtvis i_regel standaard in_principe over_het_algemeen
lasting: for_the_rest rest_of for_the_whole for_the_entire in_this_project in_this_repo in_this_repository in_this_codebase in_this_app on_this_project in_this_package in_this_workspace in_this_session for_this_session this_session whole_session this_project whole_project entire_project in_our_repo in_our_project in_our_code with_us in_this_house in_this_team around_here in_here permanently for_good forever indefinitely im_ganzen_projekt in_diesem_projekt bei_uns chez_nous dans_ce_projet dans_ce_dépôt en_este_proyecto en_este_repo in_questo_progetto da_noi neste_projeto в_этом_проекте у_нас w_tym_projekcie u_nas i_det_här_projektet hos_oss in_dit_project bij_ons
future: new newly further future later subsequent upcoming additional whenever_one neu neue neuen neuer neues weitere weiteren nouveau nouvelle nouveaux nouvelles nuevo nueva nuevos nuevas nuovo nuova nuovi nuove novo nova novos novas новый новая новые новых nowy nowe nowych nya ny nytt nieuwe
correction: again i_said as_i_said i_told_you told_you like_i_said as_said remember reminder remind you_keep keep_doing you_always you_still i_meant i_already already_said still repeat instead nochmal noch_mal wie_gesagt ich_sagte statt je_répète encore_une_fois comme_dit ya_dije te_dije otra_vez repito ho_detto di_nuovo já_disse я_же_сказал ещё_раз повторяю напоминаю jak_mówiłem jeszcze_raz przypominam som_sagt igen nogmaals zoals_gezegd
stop: stop quit refrain avoid cease skip omit drop aufhören vermeide lass évite arrête evita deja_de smetti pare хватит перестань избегай przestań unikaj sluta undvik vermijd
now: for_now this_time just_this just_now today tonight now once first then next yet at_the_moment right_now this_morning tomorrow meanwhile temporarily asap just_once for_once only_once last_time jetzt diesmal heute erstmal erst_mal dann morgen vorerst gerade maintenant cette_fois aujourd'hui d'abord ensuite puis demain pour_l'instant ahora esta_vez hoy primero luego mañana por_ahora adesso questa_volta oggi prima poi domani per_ora agora desta_vez hoje primeiro depois amanhã por_enquanto сейчас на_этот_раз сегодня сначала потом завтра tym_razem teraz dzisiaj dziś najpierw potem jutro den_här_gången idag först sedan imorgon deze_keer vandaag eerst nu_even straks
must: must have_to has_to need_to needs_to should shall ought got_to gotta supposed_to required mandatory obligatory make_sure ensure see_to_it be_sure muss müssen müsst musst soll sollen sollte sollst doit doivent dois devez il_faut faut debe deben debes hay_que tiene_que tienes_que deve devono devi bisogna occorre tem_que precisa должен должна должны нужно надо следует обязательно musi muszą musisz trzeba należy måste ska skall moet moeten skal på_må phải
may: may can could might allowed permitted free_to ok_to okay_to fine_to are_fine is_fine is_ok are_ok welcome_to feel_free exempt except exception exceptions darf dürfen darfst kann können kannst peut peuvent peux pouvez puede pueden puedes può possono puoi pode podem podes можно может можешь może można możesz får kan mag kunt được
neg: not no don't dont do_not doesn't does_not mustn't must_not shouldn't should_not can't cannot won't isn't aren't without nor non kein keine keinen keiner keinem keines nicht ohne weder pas sans ne n'est aucun no sin ni non senza né não sem не нет без ни nie bez inte utan ej niet geen zonder ikke uten ei değil không đừng
offlimits: off-limits off_limits frozen freeze read-only read_only hands_off forbidden banned prohibited taboo no-go no_go locked untouchable reserved untouched out_of_bounds sacred verboten tabu gesperrt eingefroren interdit interdite interdits prohibido prohibida congelado vietato vietata bloccato proibido запрещено запрещены нельзя заморожен zakazane zabronione zamrożone förbjudet fryst verboden bevroren
leave: leave alone keep stick_to stay stays remain remains belongs belong goes lives live keeps behalte lass_die finger bleibt bleiben gehört laisse garde reste deja mantén queda lascia mantieni resta deixa mantenha оставь держи zostaw trzymaj lämna håll laat houd blijft
prefer: prefer i'd_rather i_would_rather i_like i_want i'd_like i_would_like we_want we_like we_prefer insist expect hate dislike can't_stand allergic love fan_of favour favor rather appreciate ich_mag ich_möchte ich_will bevorzuge lieber am_liebsten wünsche je_préfère je_veux je_voudrais j'aime prefiero quiero me_gusta me_gustaría preferisco voglio vorrei mi_piace prefiro quero gosto хочу предпочитаю хотел_бы люблю лучше wolę chcę chciałbym lubię föredrar jag_vill gillar liever ik_wil graag
you: you your yours yourself du dir dich dein deine deinen deiner euch ihr tu te toi ton tes vous votre vos tú ti usted tu_ tuo tuoi voi você vocês ты тебя тебе твой вы вас вам ваш ty ciebie twój dig din ditt jij je jouw u_ deg
we: we us our ours we're we've we'll we'd team company group wir uns unser unsere unseren unserem unserer nous notre nos nosotros nuestro nuestra nuestros nuestras equipo noi nostro nostra nostri nós nosso nossa мы нас нам наш наша наши наших my_ nas nasz nasze zespół vi oss vår våra vårt wij we_ ons onze team_ chúng_tôi
i: i me my mine i'm i've i'll i'd ich mir mich mein meine meinen meiner je_ moi mon mes j'ai yo mi mis me_ io mio mia miei eu meu minha я меня мне мой моя мои ja mnie mi_ mój moje jag mig min mitt mina ik mij mijn tôi
they: he she they him her them their his it's_theirs er sie ihn ihm ihnen il elle ils elles lui leur él ella ellos lui_ lei loro ele ela eles он она они его её им oni ona han hon de_ dem hij zij hun
this: this that these those it its it's that's dieser diese dieses diesen diesem das_da ce cette ces cet ça este esta estos estas ese esa eso esto questo questa questi quella quello isso isto essa esse этот эта это эти этого ten ta to te_ tego detta denna det den dit deze dat die_ này
the: the der die das den dem des le la les l' el los las il lo gli o_ os_ as_
a: a an some one ein eine einen einem einer un une uno una des_ um uma en ett een
was: was were did had been has_been have_been got went broke failed crashed fixed added changed war waren hatte wurde wurden était étaient estaba era fue stato стал был была было были był była było blev hade waren_ werd
is: is are be am being isn't_ sind ist bin est sont es_ son está están è sono é são jest są är zijn er_ is_
ask: what why how which where who whose does do is_it is_there are_there can_you could_you would_you will_you do_you did_you should_i should_we can_i shall_i shall_we any_idea what's how's where's who's was_ist warum wieso wie welche welcher wo wer kannst_du könntest_du pourquoi comment quel quelle quels où qui est-ce peux-tu pouvez-vous qué por_qué cómo cuál dónde quién puedes_ perché come quale dove chi puoi_ por_que como qual onde почему как какой какая где кто зачем сколько что dlaczego jaki jaka gdzie kto czy co varför hur vilken var vem kan_du waarom hoe welke waar wie kun_je tại_sao
ack: ok okay yes yeah yep nope nice great thanks thank thx ty cool perfect good works worked done hm hmm oh ah aha lol sorry hi hello hey lovely fine right alright sure wow phew ja nein gut danke super prima hallo oui merci bien d'accord bonjour sí gracias vale perfecto hola sì grazie bene ciao obrigado бы_ да спасибо хорошо отлично привет понял tak dzięki dobrze cześć tack bra hej bedankt goed
please: please pls plz kindly bitte s'il_te_plaît stp svp s'il_vous_plaît por_favor per_favore per_cortesia пожалуйста плиз proszę snälla tack_ alsjeblieft graag_ vui_lòng làm_ơn
only: only just solely exclusively purely nur lediglich ausschließlich seulement uniquement que_ solo sólo solamente únicamente soltanto apenas somente только лишь tylko wyłącznie bara endast alleen enkel kun_ chỉ
because: because since so otherwise or_else therefore due_to weil denn sonst damit parce car sinon porque pues si_no perché altrimenti pois потому так_как иначе чтобы bo ponieważ inaczej żeby eftersom annars för_att omdat anders
mean: means mean stands_for i_mean refers call called calls naming named named_ heißt bedeutet nennt signifie veut_dire appelle significa llama llamamos chiama значит называется oznacza betyder heter betekent heet
lift: no_longer anymore any_more lifted is_over over back finished forget scrap never_mind nevermind cancel cancelled undone unlocked expired gone ended merged nicht_mehr vorbei fertig wieder aufgehoben plus_besoin fini terminé ya_no terminó non_più finito больше_не закончил уже już_nie koniec inte_längre klar niet_meer klaar
time: monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december week weeks month months day days hour hours minute minutes weekend evening night year years montag dienstag mittwoch donnerstag freitag woche monat tag tage stunde minuten lundi mardi vendredi semaine mois jour jours lunes viernes semana mes_ día lunedì venerdì settimana неделя неделю день пятницу месяц poniedziałek piątek tydzień måndag fredag vecka
product: app page button user users cli tool server function endpoint form service screen game site website website's widget player customer customers dialog modal menu player's bot parser daemon api client header column row field table chart plot figure map report
work: commit commits branch branches pr prs merge push pushes deploy deploys release releases test tests comment comments code reply replies answer answers response responses message messages summary changelog docs docstring docstrings name names naming_ variable variables functions file files folder import imports dependency dependencies migration migrations lint linter format formatting command commands script scripts plan diff diffs package packages review query queries branch_ config notebook class classes module modules method methods type types error_messages log_messages
speak: tell show explain ask report say write answer_ give list print mention describe summarise summarize confirm warn inform zeig sag erklär frag schreib montre explique demande écris dis muestra explica pregunta escribe di_ mostra spiega chiedi scrivi покажи объясни спроси пиши скажи pokaż wyjaśnij pytaj pisz visa förklara fråga skriv toon leg_uit vraag schrijf
change: touch change edit modify delete remove overwrite rename move alter commit_ push_ install add_ create generate run use_ ändere lösch rühr fass_ installier touche modifie supprime toques cambia modifica borra tocca modificare cancella трогай меняй удаляй правь ruszaj zmieniaj usuwaj rör ändra ta_bort wijzig verwijder
use: use uses using used follow follows put puts go_through goes_through come comes end ends start starts begin begins benutze verwende nutze nimm utilise emploie usa utiliza usare используй używaj użyj använd gebruik bruk dùng
do: add fix implement build make create update refactor port convert rename_ generate_ install_ bump merge_ rebase rerun try check look find see get set sort split move_ redo undo revert replace extract wire hook clean compile debug investigate profile plot compare compute calculate count load open close read write_ mach füge baue prüf such ajoute corrige fais crée vérifie añade arregla haz crea revisa aggiungi correggi fai verifica adicione corrija faça добавь исправь сделай проверь найди dodaj napraw zrób sprawdź lägg fixa gör kolla voeg fix_ maak
"""

_SPACELESS = """
always: 总是 一律 始终 每次 必ず 毎回 常に いつも 항상 언제나 매번 반드시
never: 绝不 永远不 千万 決して 絶対に 절대 เสมอ
fromnow: 以后 从现在 今后 从今天 往后 今後 これから 以降 앞으로 이제부터 지금부터
until: 之前 期间 在此之前 直到 为止 まで 間は あいだ 때까지 동안
if: 如果 的时候 时候 要是 凡是 只要 たら 場合 とき 時は 면 때
univ: 所有 每个 每 任何 都 全部 凡 すべて 全て どの 毎 各 모든 전부 마다
general: 默认 一般 统一 规定 基本 原則 標準 デフォルト 기본 보통
lasting: 这个项目 本项目 我们 整个 このプロジェクト うちの 社内 우리
now: 这次 现在 今天 先 接下来 刚才 今回 今日 まず 次 さっき 이번 오늘 지금 먼저
must: 必须 要 需要 应该 得 べき 必要 なければ 해야 하세요
may: 可以 可能 能 てもいい できる 가능 돼
neg: 不 没 别 不要 不用 禁止 无 ない ません しない 禁 말 않 안
offlimits: 禁止 不许 不得 冻结 禁じ 凍結 금지
prefer: 希望 喜欢 想 最好 てほしい 好き 좋겠 원해
you: 你 您 君 너
we: 我们 咱们 我が うち 우리
i: 我 私 僕 내 제
ask: 吗 呢 什么 怎么 为什么 哪 ですか ますか なぜ どう 何 뭐 왜 어떻게 나요
ack: 好的 谢谢 可以了 对 ありがとう はい 了解 네 고마
please: 请 麻烦 ください お願い 下さい 주세요 부탁
only: 只 仅 だけ のみ 만
because: 因为 否则 不然 ので から ため 니까
correction: 再说一遍 说过 别再 又 もう一度 言った 다시
lift: 不用再 恢复 解除 结束 了 終わ 解禁 끝났
do: 帮我 改 加 做 画 写 算 追加 修正 作 直し 추가 수정 만들
"""


def _read(table: str) -> dict[str, tuple[str, ...]]:
    classes: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        name, _, words = line.partition(": ")
        for word in words.split():
            key = word.replace("_", " ").strip()
            classes[key] = (*classes.get(key, ()), name)
    return classes


WORD_CLASSES = _read(_CLASSES)
"""Lower-case word or phrase -> its classes."""

SPACELESS_CLASSES = _read(_SPACELESS)
"""The same for scripts that do not part words."""
