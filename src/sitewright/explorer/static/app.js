// The explorer's own script: corrections with a preview, and the page beside its record.
const dialog = document.getElementById("preview");
const body = document.getElementById("preview-body");
const job = document.getElementById("job");
const MANY = new Set(["classes", "examples"]);

const post = async (where, data) => {
  const answer = await fetch(where, {method: "POST", body: JSON.stringify(data),
    headers: {"Content-Type": "application/json"}});
  if (!answer.headers.get("content-type").startsWith("application/json")) {
    return {error: await answer.text(), problem: "", lines: []};
  }
  return answer.json();
};
const line = (tag, text) => {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
};
const editOf = (form) => {
  const edit = {edit: form.dataset.edit};
  for (const [name, value] of new FormData(form)) {
    if (!value.trim()) continue;
    if (MANY.has(name)) {
      edit[name] = [...(edit[name] || []), ...value.split(/\s+/).filter(Boolean)];
    } else {
      edit[name] = value;
    }
  }
  return edit;
};
const confirmed = (found) => new Promise((resolve) => {
  body.replaceChildren();
  const problem = found.error || found.problem;
  if (problem) body.append(line("p", `This cannot be: ${problem}`));
  for (const text of found.lines || []) body.append(line("p", text));
  if (found.values?.length) {
    const list = document.createElement("ul");
    for (const value of found.values) list.append(line("li", value));
    body.append(line("p", "On some pages:"), list);
  }
  document.getElementById("preview-yes").disabled = Boolean(problem);
  dialog.returnValue = "no";
  dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" && !problem), {once: true});
  dialog.showModal();
});
const watch = async () => {
  job.hidden = false;
  for (;;) {
    const state = await (await fetch("/job")).json();
    if (!state.running) {
      const failed = state.outcomes.filter((one) => one.status === "failed");
      if (state.error || failed.length) {
        job.textContent = state.error || failed.map((one) => one.detail).join("; ");
        return;
      }
      job.textContent = "Done.";
      location.href = "/corrections";
      return;
    }
    job.textContent = state.total ? `${state.step}: ${state.done} of ${state.total}` : state.step;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
const start = async (where, data) => {
  const state = await post(where, data);
  if (state.error) {
    job.hidden = false;
    job.textContent = state.error;
    return;
  }
  await watch();
};
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.edit) return;
  event.preventDefault();
  const edit = editOf(form);
  const found = await post("/preview", edit);
  if (await confirmed(found)) await start("/apply", edit);
});
for (const button of document.querySelectorAll("button.undo")) {
  button.addEventListener("click", () => start("/undo", {id: button.dataset.id}));
}
const column = document.getElementById("filter-column");
column?.addEventListener("change", () => {
  document.getElementById("filter-text").name = `in.${column.value}`;
});

// The page beside its record.
const view = document.getElementById("page-view");
if (view) {
  const frame = document.getElementById("frame");
  // The frame has an opaque origin: who sent a message is told by its window alone.
  const say = (message) => frame.contentWindow.postMessage(message, "*");
  const show = (name, number) => {
    say({kind: "show", name, number: Number(number) || 0});
    for (const one of document.querySelectorAll(".show")) {
      const same = one.dataset.show === name && (one.dataset.number || "0") === String(number || 0);
      one.classList.toggle("here", same);
      if (same) one.scrollIntoView({block: "nearest"});
    }
  };
  for (const button of document.querySelectorAll(".show")) {
    button.addEventListener("click", () => show(button.dataset.show, button.dataset.number));
  }
  const says = document.getElementById("look-says");
  let blocks = null;
  const showBlocks = async () => {
    if (!blocks) {
      says.textContent = "laying the page out …";
      const answer = await fetch(`/blocks?${new URLSearchParams({url: view.dataset.page})}`);
      if (!answer.ok) {
        says.textContent = await answer.text();
        return;
      }
      blocks = await answer.json();
    }
    says.textContent = blocks.length ? "" : "the page has no blocks";
    say({kind: "blocks", blocks});
  };
  for (const radio of document.querySelectorAll("input[name=look]")) {
    radio.addEventListener("change", () => {
      says.textContent = "";
      say({kind: "look", look: radio.value});
      if (radio.value === "blocks") showBlocks();
    });
  }
  addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow) return;
    const told = event.data;
    if (told.kind === "ready") {
      if (view.dataset.show) show(view.dataset.show, view.dataset.number);
      else say({kind: "first"});
    } else if (told.kind === "clicked") {
      const names = (told.names || []).map(String);
      const picked = document.getElementById("picked");
      if (picked) {
        picked.hidden = false;
        document.getElementById("picked-text").textContent = String(told.text).slice(0, 300);
        document.getElementById("picked-value").value = String(told.text);
        document.getElementById("picked-names").textContent = names.length ? `field ${names.join(", ")}` : "";
        for (const one of document.querySelectorAll(".picked-place")) one.value = String(told.place);
        const known = names.find((name) => !name.endsWith("[]"));
        const [records, field] = known && known.includes(".") ? known.split(".") : ["", known || ""];
        const rename = document.getElementById("picked-rename");
        rename.hidden = !known;
        rename.elements.field.value = field;
        rename.elements.records.value = records;
        document.getElementById("picked-field").textContent = known || "";
      }
      for (const one of document.querySelectorAll(".show")) {
        const number = names.some((name) => name.endsWith("[]")) ? 0 : Number(told.number) || 0;
        const same = names.includes(one.dataset.show) && Number(one.dataset.number || 0) === (one.dataset.number ? number : 0);
        one.classList.toggle("here", same);
        if (same) one.scrollIntoView({block: "nearest"});
      }
    }
  });
  // A frame that loads faster than this script has said that it is ready to nobody.
  say({kind: "ready?"});
}
