// Longhaul extension for pi. `longhaul install pi` writes this file, `uninstall pi` removes it.
//
// It starts Longhaul's server when it is first needed, passes each compaction on to it, checks the
// answer and keeps the deadline. Whatever goes wrong, pi compacts without it and one line says why.

// Written by install.
export const INSTALLED = {"version": "0.0.0", "server": ["python3"], "madeFolders": 0};
