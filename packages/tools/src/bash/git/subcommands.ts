import { applyCommand } from "./apply-command.ts";
import { blameCommand } from "./blame-command.ts";
import { branchCommand } from "./branch-command.ts";
import { addCommand, lsFilesCommand, mvCommand, resetCommand, restoreCommand, rmCommand } from "./change-commands.ts";
import { checkIgnoreCommand } from "./check-ignore-command.ts";
import { checkoutCommand, switchCommand } from "./checkout-command.ts";
import { cleanCommand } from "./clean-command.ts";
import { commitCommand } from "./commit-command.ts";
import { diffCommand } from "./diff-command.ts";
import { describeCommand, mergeBaseCommand, revListCommand, shortlogCommand } from "./find-commands.ts";
import type { GitSubcommand } from "./git-call.ts";
import { grepCommand } from "./grep-command.ts";
import { logCommand, showCommand } from "./history-commands.ts";
import { configCommand, initCommand } from "./info-commands.ts";
import { mergeCommand } from "./merge-command.ts";
import { cherryPickCommand, revertCommand } from "./pick-commands.ts";
import { rebaseCommand } from "./rebase-command.ts";
import { forEachRefCommand, showRefCommand, symbolicRefCommand } from "./ref-commands.ts";
import { cloneCommand, fetchCommand, pullCommand, pushCommand, remoteCommand } from "./remote-commands.ts";
import { revParseCommand } from "./rev-parse-command.ts";
import { stashCommand } from "./stash-command.ts";
import { statusCommand } from "./status-command.ts";
import { tagCommand } from "./tag-command.ts";
import { catFileCommand, lsTreeCommand } from "./tree-commands.ts";

/** There is nothing to clean up: objects are the store's. */
const nothing: GitSubcommand = async () => ({});

/** The commands of git that are here, by name. */
export const SUBCOMMANDS: Readonly<Record<string, GitSubcommand>> = {
  status: statusCommand,
  diff: diffCommand,
  log: logCommand,
  show: showCommand,
  add: addCommand,
  stage: addCommand,
  rm: rmCommand,
  mv: mvCommand,
  commit: commitCommand,
  restore: restoreCommand,
  reset: resetCommand,
  branch: branchCommand,
  checkout: checkoutCommand,
  switch: switchCommand,
  tag: tagCommand,
  merge: mergeCommand,
  "cherry-pick": cherryPickCommand,
  revert: revertCommand,
  rebase: rebaseCommand,
  stash: stashCommand,
  apply: applyCommand,
  clean: cleanCommand,
  grep: grepCommand,
  blame: blameCommand,
  describe: describeCommand,
  shortlog: shortlogCommand,
  remote: remoteCommand,
  fetch: fetchCommand,
  pull: pullCommand,
  push: pushCommand,
  clone: cloneCommand,
  init: initCommand,
  config: configCommand,
  "rev-parse": revParseCommand,
  "rev-list": revListCommand,
  "merge-base": mergeBaseCommand,
  "ls-files": lsFilesCommand,
  "ls-tree": lsTreeCommand,
  "cat-file": catFileCommand,
  "check-ignore": checkIgnoreCommand,
  "show-ref": showRefCommand,
  "for-each-ref": forEachRefCommand,
  "symbolic-ref": symbolicRefCommand,
  gc: nothing,
  prune: nothing,
};
