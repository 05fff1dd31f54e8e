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
            gives: "`{user}`: the account of a company"),
        Method(
            "thirdparty.login", .makes, [.password, .onFullDisk], guest: AccountGuestCommand.login,
            gives: "what `account.login` gives; both methods do the same"),
    ]

    private static let ofCompanies = [
        Method(
            "service.create", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers], ServiceCommand.creation,
            gives: "`{service,token}`: the token with which its program connects, returned "
                + "only once"),
        Method(
            "service.list", .reads, [.notPeople, .companies], Form { ServiceCommand.list },
            gives: "`{services:[{service,name,description,data,address?,createdAt,users}]}`",
            looksAt: "your 64"),
        Method(
            "service.update", .changes, [.notPeople, .companies], against: [.changes],
            ServiceCommand.addressChange, gives: "`{}`"),
        Method(
            "service.token", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers],
            Form(Form("service", .name)) { ServiceCommand.newToken($0) },
            gives: "`{service,token}`: the previous token stops working"),
        Method(
            "service.delete", .changes, [.notPeople, .companies], against: [],
            Form(Form("service", .name)) { ServiceCommand.delete($0) },
            gives: "`{deleted}`, as `account.delete`"),
    ]

    private static let ofPeople = [
        Method(
            "service.discover", .reads, [],
            Form(ServiceCommand.after) { ServiceCommand.discover(after: $0) },
            gives: "`{services:[{service,name,company,description,data}],next}`: at most 50, "
                + "the oldest first; `next` is the `after` of the next page, `null` at the end"),
        Method(
            "service.add", .changes, [], against: [.changes, .answers], ServiceCommand.addition,
            gives: "`{service,stream}`: it may read your data from now on"),
        Method(
            "service.remove", .changes, [], against: [],
            Form(Form("service", .name)) { ServiceCommand.remove($0) },
            gives: "`{}`: it no longer receives anything"),
        Method(
            "consent.list", .reads, [], Form { ServiceCommand.consents },
            gives: "`{services:[{service,name,company,description,data,address?,since,stream,"
                + "subscribed}],requests:[{request,service,name,company,description,data,"
                + "reason,stream,at}],"
                + "runs:[{run,name,bib,shownAs?,showHeartRate,since}]}`: who has access to your "
                + "data, who requests it, and the upcoming runs in which everyone sees you"),
        Method(
            "consent.answer", .changes, [], against: [],
            Form(Form("request", .uuid), Form("allow", .boolean)) {
                ServiceCommand.answer($0, isAllowed: $1)
            },
            gives: "`{}`: stored data may be read, or (`stream` in the request) new data may also "
                + "be published immediately"),
        Method(
            "access.log", .reads, [], ServiceCommand.logPage,
            gives:
                "`{entries:[{id,at,what,service?,company?,user?,name?,share?,data?,from?,to?,"
                + "count?}],next}`: what services requested, read and were sent, who viewed "
                + "your location, and what dispatch received (`called`, `read-for-help`), the "
                + "newest first; `next` is the `before` of the next page, `null` at the end"),
    ]

    private static let ofServices = [
        Method(
            "data.request", .changes, [.notPeople, .services, .password],
            against: [.changes, .answers], ServiceCommand.asking,
            gives: "`{state}`: `granted` if the user agreed before, `silenced` if they have "
                + "refused the company twice, otherwise `pending`, whether or not there is "
                + "such a user",
            "`{state,user?}`: asks all users who have entered that number; `pending` "
                + "also if no one has, and without `user` until it is `granted`"),
        Method(
            "data.users", .reads, [.notPeople, .services],
            Form(ServiceCommand.after) { ServiceCommand.users(after: $0) },
            gives:
                "`{users:[{user,since,stream,subscribed}],next}`: users who agree, at most 100, "
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
            gives: "`{topic,state}`: where the user's samples are published with QoS 0: from "
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
