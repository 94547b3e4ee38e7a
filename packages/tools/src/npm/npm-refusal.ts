/** Why npm's work cannot be done here: what a person or a model is told. `isElsewhere` where the real npm could do it. */
export class NpmRefusal extends Error {
  readonly isElsewhere: boolean;

  constructor(message: string, isElsewhere: boolean) {
    super(message);
    this.isElsewhere = isElsewhere;
  }
}

/** The real npm can do it, where there is one. */
export function needsNpm(reason: string): NpmRefusal {
  return new NpmRefusal(reason, true);
}

/** No npm can. */
export function npmError(reason: string): NpmRefusal {
  return new NpmRefusal(reason, false);
}
