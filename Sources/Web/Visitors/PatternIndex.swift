internal import MQTT

/// Filters with wildcards, found by what stands before the first of them.
struct PatternIndex {
    private var byPrefix: [String: [TopicFilter]] = [:]

    init(_ filters: some Sequence<String> = []) { for filter in filters { insert(filter) } }

    /// - Parameter filter: one that is not there; without a wildcard it is left out.
    mutating func insert(_ filter: String) {
        let pattern = TopicFilter(filter)
        guard pattern.hasWildcards else { return }
        byPrefix[PatternIndex.prefix(of: filter), default: []].append(pattern)
    }

    /// Everything before the first wildcard: empty, or up to a `/`.
    static func prefix(of filter: String) -> String {
        String(decoding: filter.utf8.prefix { !"+#".utf8.contains($0) }, as: UTF8.self)
    }

    /// - Returns: the filters that match, each once.
    func matching(_ topic: String) -> [String] {
        guard !byPrefix.isEmpty else { return [] }
        var found: [String] = []
        func look(_ prefix: String) {
            for pattern in byPrefix[prefix] ?? [] where pattern.matches(topic) {
                found.append(pattern.text)
            }
        }
        look("")
        for (index, byte) in zip(topic.utf8.indices, topic.utf8) where byte == UInt8(ascii: "/") {
            look(String(topic[...index]))
        }
        // `a/#` matches `a` as well.
        look(topic + "/")
        return found
    }
}
