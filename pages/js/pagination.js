/// Fetches lists that the service returns in pages.

/// The maximum number of pages: a list that never ends is an error.
const MOST_PAGES = 200;

/// All items of `result[name]`, page by page.
///
/// - Parameter field: the request field for the `next` of the previous page.
export async function fetchAll(call, method, request, name, field = "cursor") {
    const items = [];
    let cursor = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
        const result = await call(method, { ...request, ...(cursor ? { [field]: cursor } : {}) });
        items.push(...(result[name] ?? []));
        cursor = result.next ?? null;
        if (!cursor) break;
    }
    return items;
}
