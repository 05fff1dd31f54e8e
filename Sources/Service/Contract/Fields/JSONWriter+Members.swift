public import JSON
internal import Tracking

extension JSONWriter {
    mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    /// Writes `true` if the flag is set, and nothing otherwise.
    public mutating func flag(_ key: StaticString, _ isSo: Bool) {
        guard isSo else { return }
        self.key(key)
        bool(true)
    }

    mutating func member(_ key: StaticString, _ count: Int) {
        self.key(key)
        number(count)
    }

    mutating func member(_ key: StaticString, _ time: Timestamp) {
        self.key(key)
        self.time(time)
    }
}
