import type { Check } from "../check.ts";

export const preactSsr: readonly Check[] = [
  {
    ask: "/",
    status: 200,
    gives: { "content-type": "text/html" },
    text: '<!doctype html><p data-index="0">Tea &lt;strong>: <b class="price">€4.50</b></p><hr/><p data-index="1" style="color:red;">Cake: <b class="price">€12.50</b></p>',
  },
  { ask: "/async?locale=de", status: 200, text: /4,50\s€.*12,50\s€/ },
];
