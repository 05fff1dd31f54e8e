internal import MQTT

/// Filters with wildcards, indexed by the part before the first wildcard.
struct PatternIndex {
    private var byPrefix: [String: [TopicFilter]] = [:]

    init(_ filters: some Sequence<String> = []) { for filter in filters { insert(filter) } }

    /// - Parameter filter: a new filter; ignored without a wildcard.
    mutating func insert(_ filter: String) {
        let pattern = TopicFilter(filter)
        guard pattern.hasWildcards else { return }
        byPrefix[PatternIndex.prefix(of: filter), default: []].append(pattern)
    }

    /// Everything before the first wildcard: empty, or up to a `/`.
    static func prefix(of filter: String) -> String {
        String(decoding: filter.utf8.prefix { !"+#".utf8.contains($0) }, as: UTF8.self)
    }

    /// - Returns: the matching filters, without duplicates.
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
        // `a/#` also matches `a`.
        look(topic + "/")
        return found
    }
}
