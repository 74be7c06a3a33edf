// Inside of the frame that shows a page: tells the explorer what was clicked, shows what it asks for.
const MARK = "data-sitewright";
let blocks = [];
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
    document.getElementById("sitewright-marks").disabled = event.data.look !== "marked";
    if (blocks.length) drawBlocks(blocks);
  }
});
// Blocks are told by their paths in the page as it was written: spans of ours are not in them.
const isOurs = (one) => one.tagName === "SPAN" && one.hasAttribute(MARK)
  && one.getAttributeNames().every((name) => name.startsWith(MARK) || name === "title");
const at = (path) => path.split("/").filter(Boolean).slice(1).reduce((above, step) => {
  const [, tag, number] = step.match(/^([^[]+)(?:\[(\d+)\])?$/) || [];
  const own = above ? [...above.children].filter((one) => one.localName === tag && !isOurs(one)) : [];
  return own[(Number(number) || 1) - 1] || null;
}, document.documentElement);
const AIR = 3; // a line on the block itself would cut its first letters
const drawBlocks = (blocks) => {
  document.querySelectorAll("sitewright-block").forEach((one) => one.remove());
  for (const {path, label} of blocks) {
    const box = at(path)?.getBoundingClientRect();
    if (!box || !box.width || !box.height) continue;
    const drawn = document.createElement("sitewright-block");
    const hue = Math.round(parseInt(label, 10) * 137.508) % 360;
    Object.assign(drawn.style, {left: `${box.left + scrollX - AIR}px`,
      top: `${box.top + scrollY - AIR}px`, width: `${box.width + 2 * AIR}px`, height: `${box.height + 2 * AIR}px`, color: `hsl(${hue} 85% 38%)`});
    drawn.dataset.label = label;
    if (box.top + scrollY < 20) drawn.dataset.inside = "";
    document.documentElement.append(drawn);
  }
};
addEventListener("message", (event) => {
  if (event.source !== parent || event.data.kind !== "first") return;
  const one = document.querySelector(`[${MARK}-first]`);
  if (one && one.getBoundingClientRect().top > innerHeight) one.scrollIntoView({block: "center"});
});
addEventListener("message", (event) => {
  if (event.source !== parent || event.data.kind !== "blocks") return;
  blocks = event.data.blocks;
  drawBlocks(blocks);
});
addEventListener("resize", () => blocks.length && drawBlocks(blocks));
const sayReady = () => parent.postMessage({kind: "ready"}, "*");
addEventListener("message", (event) => {
  if (event.source === parent && event.data.kind === "ready?") sayReady();
});
sayReady();
