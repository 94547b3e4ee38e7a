#!/usr/bin/env node
// The command of a clone. It goes through the same bootstrap as `npm start`, so any Node from 20 on will do.
process.env.INIT_CWD = process.cwd();
process.argv.splice(2, 0, "tenrec");
await import("../../../scripts/with-toolchain.mjs");
