import { render } from "./render.js";

render(document.querySelector("#app"), location.pathname, await (await fetch("/api/plans")).json());
