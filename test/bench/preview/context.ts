import type { CleanUp } from "../frame/clean-up.ts";
import type { Measuring } from "../frame/measure-case.ts";
import type { AppFile } from "./app/app-file.ts";

/** What a case works with. */
export interface PreviewContext extends Measuring {
  /** Tenrec first. */
  readonly subjects: readonly PreviewSubject[];
  readonly tenrec: TenrecSubject;
  /** Of this run. */
  readonly folder: string;
  readonly cleanUp: CleanUp;
}

/** A case by the name that `--only` takes. */
export interface Case {
  readonly name: string;
  run(context: PreviewContext): Promise<void>;
}

/** Somebody who shows an app while it is written. */
export interface PreviewSubject {
  readonly name: string;
  /** A project with these files, ready to be asked; a development server starts for it. Names are used once. */
  readonly open: (name: string, files: readonly AppFile[]) => Promise<Project>;
  /** In a new process, with what is stored. Absent where each project has a process of its own. */
  readonly restart?: () => Promise<void>;
  stop(): Promise<void>;
}

export interface TenrecSubject extends PreviewSubject {
  readonly restart: () => Promise<void>;
  /** A project in another workspace: packages that other projects fetched are not there. */
  readonly openAlone: (name: string, files: readonly AppFile[]) => Promise<Project>;
}

/** An app that one subject shows. */
export interface Project {
  /** Resolves when the file is stored, whoever has noticed it by then. */
  save(file: AppFile): Promise<void>;
  /** The text that the app answers for a path, whatever its status. */
  ask(path: string): Promise<string>;
  close(): Promise<void>;
}
