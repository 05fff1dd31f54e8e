public import Tracking

/// The results of requests about groups and about who sees a user's position.
public enum GroupResult {
    /// The group, without its members.
    public static let named = Payload<(group: GroupKey, name: String)>(
        .init("group", .group) { $0.group },
        .init("name", .text) { $0.name })

    public static let list = Payload<UserGroupsMessage>(
        .init("groups", UserGroupsMessage.kind) { $0.groups })

    /// The requester's new states.
    public static let stopped = Payload<[(group: GroupKey, state: Session.State)]>(
        .init("states", .list(of: .object(state))) { $0 })

    public static let started = Payload<Started>(
        .members(of: stopped) { $0.states },
        .init("watchers", .list(of: .name)) { $0.watchers },
        .init("allWatchers", .boolean) { $0.isWhole })

    private static let state = Payload<(group: GroupKey, state: Session.State)>(
        .init("group", .group) { $0.group },
        .init("state", .state) { $0.state })

    public struct Started: Sendable {
        let states: [(group: GroupKey, state: Session.State)]
        let watchers: [Name]
        /// Whether `watchers` are all of them.
        let isWhole: Bool

        public init(
            states: [(group: GroupKey, state: Session.State)], watchers: [Name], isWhole: Bool
        ) {
            (self.states, self.watchers, self.isWhole) = (states, watchers, isWhole)
        }
    }

    public static let paused = Payload<Timestamp>(.init("pausedUntil", .time) { $0 })

    public static let precision = Payload<(group: GroupKey, precision: Precision)>(
        .init("group", .group) { $0.group },
        .init("precision", .choice) { $0.precision })

    /// - `topic`: the group's.
    /// - `token`: nil in the answer to a repeated request.
    public static let observer =
        Payload<(observer: UUIDv7, topic: String, token: PrincipalToken?)>(
            .init("observer", .uuid) { $0.observer },
            .init("topic", .text) { $0.topic },
            .init("username", .text) {
                Principal.bearer(Grant(.observer, $0.observer)).username
            },
            .init("token", .text) { $0.token?.text })
}
