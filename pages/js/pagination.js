/// Lists of the service that come in pages.

/// So many pages at most: a list that never ends is a mistake of somebody's.
const MOST_PAGES = 200;

/// All items of `result[name]`, page by page.
export async function fetchAll(call, method, request, name) {
    const items = [];
    let cursor = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
        const result = await call(method, { ...request, ...(cursor ? { cursor } : {}) });
        items.push(...(result[name] ?? []));
        cursor = result.next ?? null;
        if (!cursor) break;
    }
    return items;
}
