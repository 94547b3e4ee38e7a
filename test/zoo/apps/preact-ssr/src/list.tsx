import { createContext, Fragment } from "preact";
import { useContext, useMemo } from "preact/hooks";

export const Locale = createContext("en");

export function Price({ cents }: { cents: number }) {
  const locale = useContext(Locale);
  const text = useMemo(() => new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100), [cents, locale]);
  return <b class="price">{text}</b>;
}

export function List({ items }: { items: [name: string, cents: number][] }) {
  return (
    <>
      {items.map(([name, cents], index) => (
        <Fragment key={name}>
          {index > 0 && <hr />}
          <p data-index={index} style={{ color: cents > 500 ? "red" : undefined }}>
            {name}: <Price cents={cents} />
          </p>
        </Fragment>
      ))}
    </>
  );
}
