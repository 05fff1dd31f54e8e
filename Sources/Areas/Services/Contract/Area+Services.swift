internal import Tracking

extension Area {
    /// Third parties: their services, people's consents, and the log of access.
    static let services = Area(
        "Services",
        methods: ofGuests + ofCompanies + ofPeople + ofServices,
        topics: [
            TopicRow(
                .samples, "{root}/services/{service}/users/{user}/samples", from: [.bridge],
                to: [.subscribedService],
                "Fix or Vitals, or an array of them, the oldest first; "
                    + "`thinned` in the first: how many before it were left out"),
            TopicRow(
                .serviceNotices, "{root}/services/{service}/notices", from: [.bridge],
                to: [.thatService], "Notice"),
        ],
        notices: [
            .consentRequested, .serviceAdded, .serviceEnded, .dataDeleted, .consentGiven,
            .consentRefused, .consentRevoked,
        ],
        exports: [
            ExportList("service", "services that you offer"),
            ExportList("service-consent", "services with access to your data, and until when"),
            ExportList("data-request", "services' requests for your data, and your answers"),
            ExportList(
                "access", in: "access", isLong: true,
                "what services requested and read about you, and who viewed your location"),
        ])

    private static let ofGuests = [
        Method(
            "thirdparty.register", .changes, [.password, .registers],
            guest: AccountGuestCommand.companyRegistration,
            result: AccountResult.user.schema, gives: "the account of a company"),
        Method(
            "thirdparty.login", .makes, [.password, .onFullDisk], guest: AccountGuestCommand.login,
            result: AccountResult.login.schema, gives: "as `account.login`, which does the same"),
    ]

    private static let ofCompanies = [
        Method(
            "service.create", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers], ServiceCommand.creation,
            result: ServiceResult.token.schema,
            gives: "the token with which its program connects, returned only once"),
        Method(
            "service.list", .reads, [.notPeople, .companies], Form { ServiceCommand.list },
            result: ServiceResult.list.schema, looksAt: "your 64"),
        Method(
            "service.update", .changes, [.notPeople, .companies], against: [.changes],
            ServiceCommand.addressChange, gives: "`{}`"),
        Method(
            "service.token", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers],
            Form(Form("service", .name)) { ServiceCommand.newToken($0) },
            result: ServiceResult.token.schema, gives: "the previous token stops working"),
        Method(
            "service.delete", .changes, [.notPeople, .companies], against: [],
            Form(Form("service", .name)) { ServiceCommand.delete($0) },
            gives: "`{deleted}`, as `account.delete`"),
    ]

    private static let ofPeople = [
        Method(
            "service.discover", .reads, [],
            Form(ServiceCommand.after) { ServiceCommand.discover(after: $0) },
            result: ServiceResult.discovered.schema,
            gives: "at most 50, the oldest first; `next` is the `after` of the next page, `null` "
                + "at the end"),
        Method(
            "service.add", .changes, [], against: [.changes, .answers], ServiceCommand.addition,
            result: ServiceResult.added.schema, gives: "it may read your data from now on"),
        Method(
            "service.remove", .changes, [], against: [],
            Form(Form("service", .name)) { ServiceCommand.remove($0) },
            gives: "`{}`: it no longer receives anything"),
        Method(
            "consent.list", .reads, [], Form { ServiceCommand.consents },
            result: ServiceResult.consents.schema,
            gives: "who has access to your data, who requests it, and the upcoming runs in which "
                + "everyone sees you; `monitoringSince`: since when your vital signs are monitored"
        ),
        Method(
            "consent.answer", .changes, [], against: [],
            Form(Form("request", .uuid), Form("allow", .boolean)) {
                ServiceCommand.answer($0, isAllowed: $1)
            },
            gives: "`{}`: stored data may be read, or (`stream` in the request) new data may also "
                + "be published immediately"),
        Method(
            "access.log", .reads, [], ServiceCommand.logPage,
            result: ServiceResult.log.schema,
            gives: "what services requested, read and were sent, who viewed "
                + "your location, and what dispatch received (`called`, `read-for-help`), the "
                + "newest first; `next` is the `before` of the next page, `null` at the end"),
    ]

    private static let ofServices = [
        Method(
            "data.request", .changes, [.notPeople, .services, .password],
            against: [.changes, .answers], ServiceCommand.asking,
            result: ServiceResult.asked.schema,
            gives: "`granted` if the user agreed before, `silenced` if they have "
                + "refused the company twice, otherwise `pending`, whether or not there is "
                + "such a user",
            "the same: asks all users who have entered that number; `pending` "
                + "also if no one has, and `user` once it is `granted`"),
        Method(
            "data.users", .reads, [.notPeople, .services],
            Form(ServiceCommand.after) { ServiceCommand.users(after: $0) },
            result: ServiceResult.users.schema,
            gives: "users who agree, at most 100, "
                + "the earliest first; `next` is the `after` of the next page, `null` at "
                + "the end"),
        Method(
            "data.get", .reads, [.notPeople, .services, .secretAnswer],
            ServiceCommand.sampleQuery,
            gives: "`{samples:[Fix or Vitals…],next}`: the `last` samples received, the newest "
                + "first, if there are so many; `next` is the `cursor` of the next page, `null` "
                + "at the end"),
        Method(
            "data.subscribe", .changes, [.notPeople, .services], against: [.changes, .answers],
            ServiceCommand.subscription,
            result: ServiceResult.subscribed.schema,
            gives: "where the user's samples are published with QoS 0: from "
                + "now on (`granted`), once the user has also agreed to that (`pending`), "
                + "or never (`silenced`)"),
        Method(
            "data.unsubscribe", .changes, [.notPeople, .services], against: [],
            Form(Form("user", .name)) { ServiceCommand.unsubscribe($0) }, gives: "`{}`"),
    ]
}

extension Topic {
    /// Measurements of a user's devices, for a service.
    public static func samples(of user: Name, for service: Name) -> Topic {
        .listed(.samples, TopicPattern.Bindings(user: user, service: service))
    }

    public static func serviceNotices(_ service: Name) -> Topic {
        .listed(.serviceNotices, TopicPattern.Bindings(service: service))
    }
}

extension Topic.ListedKind {
    public static let samples = Topic.ListedKind("samples")
    public static let serviceNotices = Topic.ListedKind("serviceNotices")
}
