export function makePeople(app) {
    return { remove() {} };
}
