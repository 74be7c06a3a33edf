// Inside of the frame that shows a page: tells the explorer what was clicked, shows what it asks for.
const MARK = "data-sitewright";
const named = (name) => [...document.querySelectorAll(`[${MARK}]`)].filter((one) =>
  one.getAttribute(MARK).split(", ").includes(name));
const place = (element) => {
  for (let one = element; one && one !== document.body; one = one.parentElement) {
    if (one.hasAttribute(MARK) && one.tagName === "SPAN" && !one.className && !one.id) continue;
    if (one.id) return `//${one.tagName.toLowerCase()}[@id='${one.id.replace(/'/g, "")}']`;
    if (one.getAttribute("class")) {
      const written = one.getAttribute("class");
      if (!written.includes("'")) return `//${one.tagName.toLowerCase()}[@class='${written}']`;
    }
  }
  return "";
};
addEventListener("click", (event) => {
  event.preventDefault();
  const element = event.target;
  const field = `[${MARK}]:not([${MARK}="~"])`;
  const marked = element.closest(field) || element.querySelector(field);
  const names = marked ? marked.getAttribute(MARK).split(", ") : [];
  parent.postMessage({
    kind: "clicked", names, place: place(element),
    number: names.length ? named(names[0]).indexOf(marked) : 0,
    text: element.textContent.trim().replace(/\s+/g, " ").slice(0, 500),
  }, "*");
}, true);
addEventListener("submit", (event) => event.preventDefault(), true);
addEventListener("message", (event) => {
  if (event.source !== parent || event.data.kind !== "show") return;
  document.querySelectorAll(".sitewright-here").forEach((one) => one.classList.remove("sitewright-here"));
  const found = named(event.data.name);
  const one = found[Math.min(event.data.number || 0, found.length - 1)];
  if (one) {
    one.classList.add("sitewright-here");
    one.scrollIntoView({block: "center"});
  }
  parent.postMessage({kind: "shown", name: event.data.name, found: found.length}, "*");
});
addEventListener("message", (event) => {
  if (event.source === parent && event.data.kind === "look") {
    document.documentElement.dataset.look = event.data.look;
  }
});
parent.postMessage({kind: "ready"}, "*");
