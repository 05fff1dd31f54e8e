public import JSON
public import Tracking

extension JSONWriter {
    public mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    public mutating func member(_ key: StaticString, _ count: Int) {
        self.key(key)
        number(count)
    }

    public mutating func member(_ key: StaticString, _ time: Timestamp) {
        self.key(key)
        self.time(time)
    }
}
