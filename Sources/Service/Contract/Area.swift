/// An area of the service as clients see it: its rows in the tables of methods, topics, exports
/// and payloads.
///
/// Its code is in its own folder, `Sources/Areas/<name>`, with a folder for each module.
public struct Area: Sendable {
    public let name: String
    public let methods: [Method]
    public let topics: [TopicRow]
    public let notices: [NoticeKind]
    public let exports: [ExportList]
    public let payloads: [PayloadRow]

    /// - Parameter name: also that of the area's folder.
    init(
        _ name: String, methods: [Method] = [], topics: [TopicRow] = [],
        notices: [NoticeKind] = [], exports: [ExportList] = [], payloads: [PayloadRow] = []
    ) {
        self.payloads = payloads
        self.notices = notices
        self.name = name
        self.exports = exports
        self.methods = methods
        self.topics = topics
    }

    /// All areas, in the order of the reference.
    public static let all: [Area] = [
        .groups, .invitations, .journeys, .shareLinks, .emergencies, .friends, .chat, .notices,
        .channels, .vitals, .monitoring, .dispatch, .maintenance, .runs, .places, .geofences,
        .reminders, .history, .services, .cohorts, .accounts, .ownTracks,
    ]
}
