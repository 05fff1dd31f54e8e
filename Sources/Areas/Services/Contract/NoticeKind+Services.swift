internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    private static let service: [Member] = [.name("service"), .text("name", as: "name")]

    static let consentRequested = NoticeKind(
        "consent-requested", [.uuid("request")] + service, latest: .of("service"),
        says: .text(.consentRequested))
    static let serviceAdded = NoticeKind(
        "service-added", service, share: .account, latest: .of("service"),
        says: .text(.serviceAdded))
    public static let serviceEnded = NoticeKind(
        "service-ended", service + [.text("company", as: "company")], share: .account,
        latest: .of("service"), says: .text(.serviceEnded))
    static let dataDeleted = NoticeKind(
        "data-deleted",
        [
            Member("data") { value in
                SharedData(names: value?.elements.compactMap(\.text) ?? []).map { .texts($0.names) }
            }, .time("from").optional, .time("to").optional,
        ], says: .text(.dataDeleted))
    static let consentGiven = NoticeKind(
        "consent-given", [.flag("stream")], latest: .ofPerson, says: .text(.consentGiven))
    /// A person who refuses a service reveals nothing more to it.
    static let consentRefused = NoticeKind(
        "consent-refused", latest: .ofPerson, isTerse: true, says: .text(.consentRefused))
    static let consentRevoked = NoticeKind(
        "consent-revoked", latest: .ofPerson, says: .text(.consentRevoked))
}

extension Notice.News {
    private static func service(_ service: Name, _ name: String) -> [String: JSONValue?] {
        ["service": .string(service.text), "name": .string(name)]
    }

    /// A service asks for the user's data.
    public static func consentRequested(_ request: UUIDv7, service: Name, name: String)
        -> Notice.News
    {
        .init(
            .consentRequested,
            self.service(service, name)
                .merging(["request": .string(request.description)]) { $1 })
    }

    /// A service was given access to the user's data.
    public static func serviceAdded(service: Name, name: String) -> Notice.News {
        .init(.serviceAdded, self.service(service, name))
    }

    /// A service that had the user's data was ended, and its copies with it.
    public static func serviceEnded(service: Name, name: String, company: String) -> Notice.News {
        .init(
            .serviceEnded,
            self.service(service, name).merging(["company": .string(company)]) { $1 })
    }

    /// For a service: a user has deleted some of the data that it may have.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    public static func dataDeleted(_ data: SharedData, from: Timestamp?, to: Timestamp?)
        -> Notice.News
    {
        .init(
            .dataDeleted,
            [
                "data": .texts(data.names), "from": from.map { .time($0) },
                "to": to.map { .time($0) },
            ])
    }

    /// For a service: a user consents to share data with it.
    ///
    /// - Parameter streams: whether it may also receive samples as they arrive.
    public static func consentGiven(streams: Bool) -> Notice.News {
        .init(.consentGiven, ["stream": .flag(streams)])
    }
    public static let consentRefused = Notice.News(.consentRefused)
    public static let consentRevoked = Notice.News(.consentRevoked)
}
