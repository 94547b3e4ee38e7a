const registered: string[] = [];

function registry(prefix: string) {
  return (target: new (...args: never[]) => unknown) => {
    registered.push(`${prefix}/${target.name}`);
  };
}

function upper(_target: unknown, _name: string, descriptor: PropertyDescriptor) {
  const original = descriptor.value as (...args: unknown[]) => string;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, args).toUpperCase();
  };
}

@registry("shapes")
export class Circle {
  constructor(public radius: number) {}

  @upper
  describe(): string {
    return `circle of ${this.radius}`;
  }
}

export { registered };
