export function makeAttention(app) {
    return { setTitle(title) { document.title = `${title} · Kith`; }, remove() {} };
}
