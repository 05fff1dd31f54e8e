/// The outbox's IndexedDB database, `kith`.
///
/// `fixes`: {owner, place, fix}; `place` is the order of arrival, `fix.seq` the number assigned
/// with the first attempt to send it. `owners`: {owner, nextPlace, nextSeq, thinned}. Fixes that
/// are set aside have an owner key of their own, and `tries`.

const DATABASE = "kith";
const VERSION = 1;

/// Opens the connection; `whenClosed` is called when it can no longer be used.
export async function openDatabase(whenClosed) {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
        request.result.createObjectStore("fixes", { keyPath: ["owner", "place"] });
        request.result.createObjectStore("owners", { keyPath: "owner" });
    };
    const connection = await outcome(request);
    connection.onversionchange = () => {
        connection.close();
        whenClosed();
    };
    connection.onclose = whenClosed;
    return new OutboxDatabase(connection);
}

class OutboxDatabase {
    #connection;

    constructor(connection) {
        this.#connection = connection;
    }

    /// Adds a fix and, if there are too many, deletes every second one of the older half.
    put(owner, fix, most) {
        return this.#write(async ({ fixes, owners }) => {
            const own = await read(owners, owner);
            fixes.put({ owner, place: own.nextPlace, fix });
            own.nextPlace += 1;
            const count = await outcome(fixes.count(all(owner)));
            if (count > most) own.thinned += await thin(fixes, owner, Math.floor(most / 2));
            owners.put(own);
        });
    }

    /// The oldest fixes, as many as fit into one request, each with its number.
    batch(owner, { count, bytes }) {
        return this.#write(async ({ fixes, owners }) => {
            const own = await read(owners, owner);
            const batch = [];
            let size = 2;
            for (const record of await outcome(fixes.getAll(all(owner), count))) {
                const isNew = record.fix.seq === undefined;
                if (isNew) record.fix.seq = own.nextSeq;
                size += JSON.stringify(record.fix).length + 1;
                if (size > bytes && batch.length > 0) break;
                batch.push(record);
                if (!isNew) continue;
                own.nextSeq += 1;
                fixes.put(record);
            }
            owners.put(own);
            return batch;
        });
    }

    remove(owner, records) {
        return this.#write(async ({ fixes, owners }) => {
            for (const { place } of records) fixes.delete([owner, place]);
            if ((await outcome(fixes.count(all(owner)))) > 0) return;
            const own = await read(owners, owner);
            own.thinned = 0;
            owners.put(own);
        });
    }

    /// Deletes everything of an owner.
    forget(owner) {
        return this.#write(async (stores) => {
            await takeNumbersBack(stores, owner);
            stores.fixes.delete(all(owner));
            stores.fixes.delete(all(aside(owner)));
        });
    }

    /// Sets fixes aside, so that they do not hold up the others; each at most `tries` times, and at
    /// most `count` in all. Returns how many were deleted because of these limits.
    setAside(owner, records, { tries: mostTries, count: most }) {
        return this.#write(async (stores) => {
            await takeNumbersBack(stores, owner);
            let given = 0;
            for (const { place, fix: { seq: _, ...fix }, tries = 0 } of records) {
                stores.fixes.delete([owner, place]);
                if (tries < mostTries) {
                    stores.fixes.put({ owner: aside(owner), place, fix, tries: tries + 1 });
                } else {
                    given += 1;
                }
            }
            const kept = await outcome(stores.fixes.getAllKeys(all(aside(owner))));
            const surplus = kept.slice(0, Math.max(0, kept.length - most));
            for (const key of surplus) stores.fixes.delete(key);
            return given + surplus.length;
        });
    }

    /// Moves some fixes that were set aside back to the queue, the oldest first. Returns how many.
    takeUp(owner, count) {
        return this.#write(async ({ fixes }) => {
            const records = await outcome(fixes.getAll(all(aside(owner)), count));
            for (const record of records) {
                fixes.delete([record.owner, record.place]);
                fixes.put({ ...record, owner });
            }
            return records.length;
        });
    }

    /// Deletes a fix that the server does not have and will not accept.
    giveUp(owner, { place }) {
        return this.#write(async (stores) => {
            await takeNumbersBack(stores, owner);
            stores.fixes.delete([owner, place]);
        });
    }

    /// Numbers all fixes again, starting from 1.
    numberAnew(owner) {
        return this.#write((stores) => takeNumbersBack(stores, owner, 1));
    }

    async counts(owner) {
        const transaction = this.#connection.transaction(["fixes", "owners"]);
        const own = outcome(transaction.objectStore("owners").get(owner));
        const fixes = transaction.objectStore("fixes");
        const counts = [outcome(fixes.count(all(owner))), outcome(fixes.count(all(aside(owner))))];
        const [waiting, set] = await Promise.all(counts);
        return { waiting: waiting + set, aside: set, thinned: (await own)?.thinned ?? 0 };
    }

    /// Runs one transaction, done when it is on disk: two tabs never take the same number.
    async #write(body) {
        const transaction = this.#connection.transaction(
            ["fixes", "owners"], "readwrite", { durability: "strict" });
        const isDone = new Promise((resolve, reject) => {
            transaction.oncomplete = () => resolve();
            transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
        });
        isDone.catch(() => {});
        let result;
        try {
            result = await body({
                fixes: transaction.objectStore("fixes"),
                owners: transaction.objectStore("owners"),
            });
        } catch (error) {
            try { transaction.abort(); } catch { /* It was aborted already. */ }
            throw error;
        }
        await isDone;
        return result;
    }
}

async function thin(fixes, owner, count) {
    // Numbered fixes are not thinned out: they may be in flight, and a missing number holds up the
    // receipt.
    const oldest = await outcome(fixes.getAll(all(owner), count));
    const loose = oldest.filter((record) => record.fix.seq === undefined);
    const gone = loose.filter((_, index) => index % 2 === 1);
    for (const { place } of gone) fixes.delete([owner, place]);
    return gone.length;
}

/// Takes back the numbers of unacknowledged fixes: when sent again they are numbered from their
/// lowest number, or from `from`. A number that never arrives would hold up the receipt. The server
/// recognises a fix that it already has by its time.
async function takeNumbersBack({ fixes, owners }, owner, from) {
    const own = await read(owners, owner);
    for (const record of await outcome(fixes.getAll(all(owner)))) {
        const { seq, ...fix } = record.fix;
        if (seq === undefined) continue;
        own.nextSeq = Math.min(own.nextSeq, seq);
        fixes.put({ ...record, fix });
    }
    own.nextSeq = from ?? own.nextSeq;
    owners.put(own);
}

async function read(owners, owner) {
    const known = await outcome(owners.get(owner));
    return known ?? { owner, nextPlace: 1, nextSeq: 1, thinned: 0 };
}

/// The owner key of fixes set aside; no name of a user or a device contains a space.
function aside(owner) {
    return `${owner} aside`;
}

function all(owner) {
    return IDBKeyRange.bound([owner, 0], [owner, Infinity]);
}

function outcome(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}
