/// A lock held by one tab of a browser at a time.

export class TabTurn {
    #name;
    #taken;
    #end = null;
    #isMine = false;

    /// `taken` is called when this tab gets a turn for which it had to wait.
    constructor(name, taken) {
        this.#name = name;
        this.#taken = taken;
    }

    get isMine() { return this.#isMine; }

    /// Queues up for the turn.
    take() {
        if (this.#end) return;
        if (!navigator.locks) {
            this.#isMine = true;
            this.#end = () => {};
            return;
        }
        const abort = new AbortController();
        let release = () => {};
        navigator.locks.request(this.#name, { signal: abort.signal }, () => {
            this.#isMine = true;
            this.#taken();
            return new Promise((resolve) => { release = resolve; });
        }).catch(() => {});
        this.#end = () => {
            abort.abort();
            release();
        };
    }

    end() {
        this.#isMine = false;
        this.#end?.();
        this.#end = null;
    }
}
