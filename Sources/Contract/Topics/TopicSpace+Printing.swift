extension TopicSpace {
    public func string(_ topic: Topic) -> String {
        let (kind, words) = topic.parts
        return patterns.string(kind, words)
    }

    /// What the broker may retain that is somebody's own: to be cleared when they are gone. What
    /// lies in groups and on the maps of others they leave before.
    public func retained(of user: Name, devices: [Name]) -> [String] {
        TopicRow.all.filter { $0.retention == .compared || $0.retention == .byWriters }
            .flatMap { row -> [String] in
                switch patterns.pattern(of: row.kind).names {
                case [.user]: [patterns.string(row.kind, Topic.Words(first: user.text))]
                case [.user, .device]:
                    devices.map {
                        patterns.string(
                            row.kind, Topic.Words(first: user.text, second: $0.text))
                    }
                default: []
                }
            }
    }

    // MARK: Filters of the bridge

    /// What somebody waits for an answer to.
    public var requestInputs: [String] { inputs(of: .requests) }

    /// What comes in numbers.
    public var streamInputs: [String] { inputs(of: .stream) }

    /// What the bridge subscribes to: everything that others may publish.
    public var inputs: [String] { requestInputs + streamInputs }

    private func inputs(of lane: TopicRow.Lane) -> [String] {
        let rows = TopicRow.all.filter { $0.lane == lane }
        return filters(rows.map { patterns.pattern(of: $0.kind).filter })
    }

    /// Where the bridge's own retained messages lie.
    public var retainedOutputs: [String] {
        let rows = TopicRow.all.filter(\.isCompared)
        return filters(rows.map { patterns.pattern(of: $0.kind).everyLevel })
    }

    /// Each once, without those of which another one brings everything.
    private func filters(_ all: [String]) -> [String] {
        var filters: [String] = []
        for filter in all where !filters.contains(filter) {
            let isCovered = all.contains { $0 != filter && TopicSpace.covers($0, filter) }
            if !isCovered { filters.append(filter) }
        }
        return filters
    }

    /// Of filters in which `+` alone is a wildcard.
    private static func covers(_ wide: String, _ narrow: String) -> Bool {
        let (wide, narrow) = (TopicLevels(wide).levels, TopicLevels(narrow).levels)
        return wide.count == narrow.count && zip(wide, narrow).allSatisfy { $0 == "+" || $0 == $1 }
    }

    /// Whether the bridge looks after each connection at what is retained there.
    public func isCompared(_ topic: String) -> Bool {
        parse(topic).map { patterns.row(of: $0.kind).isCompared } ?? false
    }
}
