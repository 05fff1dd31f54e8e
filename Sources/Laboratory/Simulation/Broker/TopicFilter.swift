/// A subscription's topic filter (MQTT 5, 4.7).
struct TopicFilter: Hashable, Comparable {
    let text: String
    private let levels: [Substring]

    init(_ text: String) {
        self.text = text
        levels = text.split(separator: "/", omittingEmptySubsequences: false)
    }

    func matches(_ topic: [Substring]) -> Bool {
        if topic.first?.first == "$" { return false }
        for (index, level) in levels.enumerated() {
            // `a/#` also matches `a`.
            if level == "#" { return true }
            guard index < topic.count, level == "+" || level == topic[index] else {
                return false
            }
        }
        return levels.count == topic.count
    }

    static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Splits a topic into levels, to be matched against many filters.
    static func levels(of topic: String) -> [Substring] {
        topic.split(separator: "/", omittingEmptySubsequences: false)
    }
}
