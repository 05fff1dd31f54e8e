internal import JSON
internal import Tracking

extension JSONWriter {
    mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
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
