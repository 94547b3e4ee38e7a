import { TenrecError } from "@tenrec/protocol";
import { globTest } from "./glob-test.ts";

/** Common types of files, and the names that they have in ripgrep. */
const TYPES = `
asciidoc: *.adoc *.asc *.asciidoc
asm: *.S *.asm *.s
avro: *.avdl *.avpr *.avsc
awk: *.awk
bat: *.bat
bazel: *.BUILD *.bazel *.bazelrc *.bzl BUILD MODULE.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod
c: *.[chH] *.[chH].in *.cats
clojure: *.clj *.cljc *.cljs *.cljx
cmake: *.cmake CMakeLists.txt
config: *.cfg *.conf *.config *.ini
cpp: *.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl
cs: *.cs
csharp: *.cs
css: *.css *.scss
csv: *.csv
cuda: *.cu *.cuh
d: *.d
dart: *.dart
diff: *.diff *.patch
docker: *Dockerfile*
dockercompose: docker-compose.*.yml docker-compose.yml
edn: *.edn
elisp: *.el
elixir: *.eex *.ex *.exs *.heex *.leex *.livemd
elm: *.elm
erlang: *.erl *.hrl
fish: *.fish
fortran: *.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo
fsharp: *.fs *.fsi *.fsx
gleam: *.gleam
go: *.go
gradle: *.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat
graphql: *.graphql *.graphqls
groovy: *.gradle *.groovy
h: *.h *.hh *.hpp
haml: *.haml
haskell: *.c2hs *.cpphs *.hs *.hsc *.lhs
hbs: *.hbs
html: *.ejs *.htm *.html
java: *.java *.jsp *.jspx *.properties
jinja: *.j2 *.jinja *.jinja2
js: *.cjs *.js *.jsx *.mjs *.vue
json: *.json *.sarif composer.lock
jsonl: *.jsonl
julia: *.jl
jupyter: *.ipynb *.jpynb
kotlin: *.kt *.kts
less: *.less
license: *[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* BSD-*[0-9]* CC-BY-* COPYING COPYING[.-]* COPYRIGHT COPYRIGHT[.-]* EULA EULA[.-]* GFDL-*[0-9]* GNU-*[0-9]* GPL-*[0-9]* LGPL-*[0-9]* LICEN[CS]E LICEN[CS]E[.-]* MIT-*[0-9]* MPL-*[0-9]* NOTICE NOTICE[.-]* OFL-*[0-9]* PATENTS PATENTS[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]* agpl[.-]* gpl[.-]* lgpl[.-]* licen[cs]e licen[cs]e.*
lisp: *.el *.jl *.lisp *.lsp *.sc *.scm
lock: *.lock package-lock.json
log: *.log
lua: *.lua
make: *.mak *.mk Makefile.* [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in
markdown: *.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn
md: *.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn
nim: *.nim *.nimble *.nimf *.nims
nix: *.nix
objc: *.h *.m
ocaml: *.ml *.mli *.mll *.mly
org: *.org *.org_archive
pascal: *.dpr *.inc *.lpr *.pas *.pp
perl: *.PL *.perl *.pl *.plh *.plx *.pm *.t
php: *.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml
po: *.po
prolog: *.P *.pl *.pro *.prolog
protobuf: *.proto
ps: *.cdxml *.ps1 *.ps1xml *.psd1 *.psm1
py: *.py *.pyi
python: *.py *.pyi
r: *.R *.Rmd *.Rnw *.r *.rmd *.rnw
racket: *.rkt
readme: *README README*
rst: *.rst
ruby: *.gemspec *.rake *.rb *.rbw .irbrc Gemfile Rakefile config.ru
rust: *.rs
sass: *.sass *.scss
scala: *.sbt *.scala
sh: *.bash *.bashrc *.csh *.cshrc *.env *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .env .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc
solidity: *.sol
sql: *.psql *.sql
stylus: *.styl
svelte: *.svelte *.svelte.ts
svg: *.svg
swift: *.swift
tcl: *.tcl
tex: *.bib *.cls *.dtx *.ins *.ltx *.sty *.tex
tf: *.terraform.lock.hcl *.terraformrc *.tf *.tf.json *.tfrc *.tfvars *.tfvars.json terraform.rc
thrift: *.thrift
toml: *.toml Cargo.lock
ts: *.cts *.mts *.ts *.tsx
twig: *.twig
txt: *.txt
typescript: *.cts *.mts *.ts *.tsx
vim: *.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc
vue: *.vue
wgsl: *.wgsl
xml: *.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt
yaml: *.yaml *.yml
zig: *.zig
zsh: *.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc
`;

export type TypeTable = ReadonlyMap<string, readonly string[]>;

/** The known types, with `more` globs added. */
export function fileTypes(more: Readonly<Record<string, readonly string[]>> = {}): TypeTable {
  const table = new Map<string, readonly string[]>();
  for (const line of TYPES.trim().split("\n")) {
    const [name = "", globs = ""] = line.split(": ");
    table.set(name, globs.split(" "));
  }
  for (const [name, globs] of Object.entries(more)) table.set(name, [...(table.get(name) ?? []), ...globs]);
  return table;
}

/** A test of a file's name for any of these types; `EINVAL` names what is close to an unknown one. */
export function typeTest(table: TypeTable, names: readonly string[]): (name: string) => boolean {
  const globs = names.flatMap((name) => (name === "all" ? [...table.values()].flat() : globsOf(table, name)));
  const endings = new Set<string>();
  const tests: ((name: string) => boolean)[] = [];
  for (const glob of new Set(globs)) {
    if (/^\*\.[\w-]+$/.test(glob)) endings.add(glob.slice(1));
    else tests.push(globTest(glob));
  }
  return (name) => endings.has(name.slice(name.lastIndexOf("."))) || tests.some((test) => test(name));
}

function globsOf(table: TypeTable, name: string): readonly string[] {
  const globs = table.get(name);
  if (globs) return globs;
  const close = [...table].filter(([known, its]) => isClose(name, known, its)).map(([known]) => known);
  const listed = close.length > 0 ? close : [...table.keys()];
  const reason = `there is no such type of files; ${close.length > 0 ? "close to it" : "known"}: ${listed.join(" ")}`;
  throw new TenrecError("EINVAL", { path: name.slice(0, 100), reason });
}

function isClose(name: string, known: string, globs: readonly string[]): boolean {
  const wanted = name.toLowerCase().replace(/^[*.]+/, "");
  return wanted !== "" && (known === wanted || known.startsWith(wanted) || globs.includes(`*.${wanted}`));
}
