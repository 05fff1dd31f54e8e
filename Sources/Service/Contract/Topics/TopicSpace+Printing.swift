extension TopicSpace {
    public func string(_ topic: Topic) -> String {
        switch topic.parts {
        case .words(let kind, let words): patterns.string(.parsed(kind), words)
        case .names(let kind, let names): patterns.string(.listed(kind), names)
        }
    }

    /// The topics with a user's own data that the broker may retain, to be cleared when the user is
    /// deleted. Retained messages in groups and on other users' maps are cleared earlier, when the
    /// user leaves the groups.
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

    /// The stream inputs on which an app may call for help.
    public var callInputs: [String] { [patterns.pattern(of: .parsed(.ownTracksLocation)).filter] }

    /// The requests by which devices call for help.
    public var calls: String {
        patterns.pattern(of: .parsed(.request)).filter.dropLast() + Method.triggerSOS.name
    }

    /// The bridge's subscriptions: everything that others may publish.
    public var inputs: [String] { TopicRow.Lane.allCases.flatMap(inputs(of:)) }

    /// The subscriptions of one of its connections.
    public func inputs(of lane: TopicRow.Lane) -> [String] {
        let rows = TopicRow.all.filter { $0.lane == lane }
        return filters(rows.map { patterns.pattern(of: $0.kind).filter })
    }

    /// The topic on which the gate sends the lane's barriers to the bridge.
    public func barrier(_ lane: TopicRow.Lane) -> String {
        string(.listed(lane.barrier, TopicPattern.Bindings()))
    }

    /// The topic on which the bridge returns them.
    public func committed(_ lane: TopicRow.Lane) -> String {
        string(.listed(lane.committed, TopicPattern.Bindings()))
    }

    /// The topic on which the bridge asks the gate whether it has a change of rights, by its number:
    /// the gate refuses the message until it has.
    public var rightsCheck: String { string(.listed(.rightsCheck, TopicPattern.Bindings())) }

    /// The topics of the bridge's own retained messages.
    public var retainedOutputs: [String] {
        let rows = TopicRow.all.filter(\.isCompared)
        return filters(rows.map { patterns.pattern(of: $0.kind).everyLevel })
    }

    /// Removes duplicates and filters that another filter covers.
    private func filters(_ all: [String]) -> [String] {
        var filters: [String] = []
        for filter in all where !filters.contains(filter) {
            let isCovered = all.contains { $0 != filter && TopicSpace.covers($0, filter) }
            if !isCovered { filters.append(filter) }
        }
        return filters
    }

    /// For filters whose only wildcard is `+`.
    private static func covers(_ wide: String, _ narrow: String) -> Bool {
        let (wide, narrow) = (TopicLevels(wide).levels, TopicLevels(narrow).levels)
        return wide.count == narrow.count && zip(wide, narrow).allSatisfy { $0 == "+" || $0 == $1 }
    }

    /// Whether the bridge checks the retained messages there after each connection.
    public func isCompared(_ topic: String) -> Bool {
        parse(topic).map { patterns.row(of: $0.kind).isCompared } ?? false
    }
}
