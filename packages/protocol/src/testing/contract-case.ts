/**
 * One case of a port's contract, free of any test framework: `run` resolves when the subject keeps the contract and
 * throws when it does not. `make` builds a fresh subject; the case disposes it.
 */
export interface ContractCase<Subject> {
  readonly group: string;
  readonly name: string;
  run(make: () => Promise<Subject & AsyncDisposable>): Promise<void>;
}
