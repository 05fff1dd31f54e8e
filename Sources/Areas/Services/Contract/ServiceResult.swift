public import Tracking

/// The results of requests about services and the data that they receive. `next` is nil at the end
/// of a list.
public enum ServiceResult {
    // MARK: For companies

    public static let token = Payload<(service: Name, token: PrincipalToken)>(
        .init("service", .name) { $0.service },
        .init("token", .text) { $0.token.text })

    public static let list = Payload<[Offered]>(
        .init(
            "services",
            .list(
                of: .object(
                    .members(of: ServiceDescription.own) { $0.service },
                    .init("createdAt", .time) { $0.createdAt },
                    .init("users", .count) { $0.users }))
        ) { $0 })

    public typealias Offered = (service: ServiceDescription, createdAt: Timestamp, users: Int)

    // MARK: For people

    public static let discovered = Payload<(services: [ServiceDescription], next: Int64?)>(
        .init("services", .list(of: .object(ServiceDescription.payload))) { $0.services },
        .init("next", .orNull(.number)) { $0.next })

    public static let added = Payload<(service: Name, streams: Bool)>(
        .init("service", .name) { $0.service },
        .init("stream", .boolean) { $0.streams })

    public static let consents = Payload<Consents>(
        .init("services", .list(of: .object(consent))) { $0.services },
        .init("monitoringSince", .time) { $0.monitoringSince },
        .init("requests", .list(of: .object(request))) { $0.requests },
        .init("runs", .list(of: .object(RunResult.consent))) { $0.runs })

    private static let consent = Payload<Consent>(
        .members(of: ServiceDescription.own) { $0.service },
        .init("since", .time) { $0.since },
        .init("stream", .boolean) { $0.streams },
        .init("subscribed", .boolean) { $0.isSubscribed })

    private static let request = Payload<DataRequest>(
        .init("request", .uuid) { $0.id },
        .members(of: ServiceDescription.payload) { $0.service },
        .init("reason", .text) { $0.reason },
        .init("stream", .boolean) { $0.streams },
        .init("at", .time) { $0.id.time })

    public typealias Consents = (
        services: [Consent], monitoringSince: Timestamp?, requests: [DataRequest],
        runs: [RunResult.Consent]
    )
    public typealias Consent = (
        service: ServiceDescription, since: Timestamp, streams: Bool, isSubscribed: Bool
    )
    public typealias DataRequest = (
        id: UUIDv7, service: ServiceDescription, reason: String, streams: Bool
    )

    public static let log = Payload<(entries: [AccessEntry], next: Int64?)>(
        .init("entries", .list(of: .object(AccessEntry.payload))) { $0.entries },
        .init("next", .orNull(.number)) { $0.next })

    // MARK: For services

    /// - `user`: the owner of the number, once they have agreed.
    public static let asked = Payload<(standing: Standing, user: Name?)>(
        .init("state", .choice) { $0.standing },
        .init("user", .name) { $0.user })

    public static let users = Payload<(users: [User], next: Int64?)>(
        .init(
            "users",
            .list(
                of: .object(
                    .init("user", .name) { $0.user },
                    .init("since", .time) { $0.since },
                    .init("stream", .boolean) { $0.streams },
                    .init("subscribed", .boolean) { $0.isSubscribed }))
        ) { $0.users },
        .init("next", .orNull(.number)) { $0.next })

    public typealias User = (user: Name, since: Timestamp, streams: Bool, isSubscribed: Bool)

    public static let subscribed = Payload<(topic: String, standing: Standing)>(
        .init("topic", .text) { $0.topic },
        .init("state", .choice) { $0.standing })

    /// The standing of a service's request.
    public enum Standing: String, CaseIterable, Sendable {
        case granted
        /// The company may not ask the user again.
        case silenced
        case pending
    }
}
