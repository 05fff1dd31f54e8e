/// The one record of `last-known.js`, in the browser's database.

const DATABASE = "kith-last-known";
const STORE = "people";
const KEY = "newest";

/// Serialised, so that nothing is written after it was erased.
let work = Promise.resolve();

export const record = {
    /// Undefined if there is none.
    read: () => inTurn((people) => people.get(KEY)),
    /// - Parameter mayWrite: checked when it is its turn.
    write: (value, mayWrite) => inTurn((people) => { if (mayWrite()) people.put(value, KEY); }),
    erase: () => inTurn((people) => people.delete(KEY)),
};

/// Runs `body` with the object store; without one, the page works as if nothing were kept.
function inTurn(body) {
    const turn = work.then(async () => {
        try {
            return await transact(body);
        } catch {
            return undefined;
        }
    });
    work = turn;
    return turn;
}

async function transact(body) {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await outcome(opening);
    try {
        const transaction = database.transaction(STORE, "readwrite");
        const request = body(transaction.objectStore(STORE));
        await new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error);
        });
        return request?.result;
    } finally {
        database.close();
    }
}

function outcome(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
