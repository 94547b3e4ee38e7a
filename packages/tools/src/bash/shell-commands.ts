import type { Egress } from "@tenrec/protocol";
import { createNpmCommand } from "../npm/npm-command.ts";
import { createCurlCommand, createWgetCommand } from "../web/curl/curl-command.ts";
import type { BashPorts } from "./bash.ts";
import { AWK_COMMANDS } from "./commands/awk/awk.ts";
import { base64 } from "./commands/base64.ts";
import { SHELLS } from "./commands/bash.ts";
import { BYTE_COMMANDS } from "./commands/byte-commands.ts";
import { mv } from "./commands/mv.ts";
import { cp } from "./commands/cp.ts";
import { date } from "./commands/date/date.ts";
import { diff } from "./commands/diff.ts";
import { envsubst } from "./commands/envsubst.ts";
import { HEX_COMMANDS } from "./commands/hex-dump.ts";
import { jq } from "./commands/jq.ts";
import { LINE_COMMANDS } from "./commands/line-commands.ts";
import { ls } from "./commands/ls.ts";
import { mkdir } from "./commands/mkdir.ts";
import { paste } from "./commands/paste.ts";
import { patch } from "./commands/patch.ts";
import { PATH_COMMANDS } from "./commands/path-commands.ts";
import { PRINT_COMMANDS } from "./commands/printf.ts";
import { PROCESS_COMMANDS } from "./commands/process-commands.ts";
import { scriptFile } from "./commands/script-file.ts";
import { sed } from "./commands/sed/sed.ts";
import { sort } from "./commands/sort.ts";
import { SYSTEM_COMMANDS } from "./commands/system-commands.ts";
import { tar } from "./commands/tar/tar.ts";
import { TEXT_COMMANDS } from "./commands/text-commands.ts";
import { wc } from "./commands/wc.ts";
import { cat } from "./commands/cat.ts";
import { cut } from "./commands/cut.ts";
import { env } from "./commands/env.ts";
import { find } from "./commands/find/find.ts";
import { head } from "./commands/head.ts";
import { ln } from "./commands/ln.ts";
import { seq } from "./commands/seq.ts";
import { tr } from "./commands/tr.ts";
import { uniq } from "./commands/uniq.ts";
import { xargs } from "./commands/xargs.ts";
import { unzip } from "./commands/zip/unzip.ts";
import { zip } from "./commands/zip/zip.ts";
import { createGitCommand } from "./git/git-command.ts";
import { createSearchCommands } from "../search/search-commands.ts";
import type { ShellCommand } from "./shell-command.ts";

/** Those that need nothing of the outside. */
const PLAIN_COMMANDS: readonly ShellCommand[] = [
  ls,
  find,
  ln,
  cat,
  head,
  wc,
  tr,
  cut,
  uniq,
  seq,
  env,
  base64,
  ...LINE_COMMANDS,
  sed,
  sort,
  diff,
  patch,
  tar,
  zip,
  unzip,
  xargs,
  ...AWK_COMMANDS,
  ...PRINT_COMMANDS,
  cp,
  mv,
  mkdir,
  date,
  jq,
  envsubst,
  paste,
  ...TEXT_COMMANDS,
  ...BYTE_COMMANDS,
  ...HEX_COMMANDS,
  ...PATH_COMMANDS,
  ...PROCESS_COMMANDS,
  ...SYSTEM_COMMANDS,
  ...SHELLS,
  scriptFile,
];

/**
 * The commands of the shell that are ours, made anew for each call over its ports. One that a port is missing for is left
 * out; if it is a heavy one, it then needs an executor.
 */
export function createShellCommands(ports: BashPorts): ShellCommand[] {
  const { egress, gate, git, search } = ports;
  const network = egress && { ...ports, egress };
  return [
    ...PLAIN_COMMANDS,
    ...createSearchCommands(search),
    ...(git ? [createGitCommand({ git, gate, search })] : []),
    createNpmCommand({ egress }),
    ...(network ? networkCommands(network) : []),
  ];
}

function networkCommands(ports: BashPorts & { readonly egress: Egress }): ShellCommand[] {
  return [createCurlCommand(ports), createWgetCommand(ports)];
}
