internal import Tracking

extension Area {
    /// Third parties: their services, what people agree to give them, and who has read what.
    static let services = Area(
        "Services",
        methods: ofGuests + ofCompanies + ofPeople + ofServices,
        topics: [
            TopicRow(
                .samples, "{root}/services/{service}/users/{user}/samples", from: [.bridge],
                to: [.subscribedService],
                "Fix or Vitals, or an array of them, the oldest first; "
                    + "`thinned` in the first: so many were left out before it"),
            TopicRow(
                .serviceNotices, "{root}/services/{service}/notices", from: [.bridge],
                to: [.thatService], "Notice"),
        ],
        exports: [
            ExportList("service", "services that you offer"),
            ExportList("service-consent", "services that you let have your data, and until when"),
            ExportList("data-request", "requests of services for your data, and what you answered"),
            ExportList(
                "access", in: "access", isLong: true,
                "what services asked for and read of you, and who looked at you"),
        ])

    private static let ofGuests = [
        Method(
            "thirdparty.register", .changes, .password,
            Form(
                "`{company,username?,email,password,acceptTerms:true,visitor?}`",
                gives: "`{user}`: the account of a company; without `username` it follows from "
                    + "the company's name"),
            guest: { fields in GuestCommand.registerCompany(&fields) }),
        Method(
            "thirdparty.login", .makes, .password,
            Form(
                "`{login,password,device,code?,visitor?}`",
                gives: "what `account.login` gives, which does the same"),
            guest: { fields in GuestCommand.logIn(&fields) }),
    ]

    private static let ofCompanies = [
        Method(
            "service.create", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers],
            Form(
                "`{service,name,description,data?:[\"positions\",\"vitals\"],address?}`",
                gives: "`{service,token}`: the token with which its program connects, told once; "
                    + "`data`: what it receives of those who agree, otherwise all; `address`: "
                    + "where they open it, with https")
        ) { fields, _ in ServiceCommand.create(&fields) },
        Method(
            "service.list", .reads, [.notPeople, .companies],
            Form(
                "",
                gives: "`{services:[{service,name,description,data,address?,createdAt,users}]}`",
                looksAt: "your 64")
        ) { _, _ in ServiceCommand.list },
        Method(
            "service.update", .changes, [.notPeople, .companies], against: [.changes],
            Form("`{service,address}`", gives: "`{}`: where people open it; `null`: nowhere")
        ) { fields, _ in ServiceCommand.setAddress(&fields) },
        Method(
            "service.token", .makes, [.notPeople, .companies, .secretAnswer],
            against: [.changes, .answers],
            Form("`{service}`", gives: "`{service,token}`: the former token stops working")
        ) { fields, _ in fields.name("service").map { ServiceCommand.newToken($0) } },
        Method(
            "service.delete", .changes, [.notPeople, .companies], against: [],
            Form("`{service}`", gives: "`{deleted}`, as `account.delete`")
        ) { fields, _ in fields.name("service").map { ServiceCommand.delete($0) } },
    ]

    private static let ofPeople = [
        Method(
            "service.discover", .reads, [],
            Form(
                "`{after?}`",
                gives: "`{services:[{service,name,company,description,data}],next}`: at most 50, "
                    + "the oldest first; `next` is the `after` of the next page, `null` at the end")
        ) { fields, _ in ServiceCommand.discover(&fields) },
        Method(
            "service.add", .changes, [], against: [.changes, .answers],
            Form(
                "`{service,stream?}`",
                gives: "`{service,stream}`: it may read your data from now on, and with "
                    + "`stream:true` have them published as they come as well; with `false` no "
                    + "longer that")
        ) { fields, _ in ServiceCommand.add(&fields) },
        Method(
            "service.remove", .changes, [], against: [],
            Form("`{service}`", gives: "`{}`: it receives nothing any more")
        ) { fields, _ in fields.name("service").map { ServiceCommand.remove($0) } },
        Method(
            "consent.list", .reads, [],
            Form(
                "",
                gives: "`{services:[{service,name,company,description,data,address?,since,stream,"
                    + "subscribed}],requests:[{request,service,name,company,description,data,"
                    + "reason,stream,at}],"
                    + "runs:[{run,name,bib,shownAs?,showHeartRate,since}]}`: who may have your "
                    + "data, who asks for it, and the runs to come in which everybody sees you")
        ) { _, _ in ServiceCommand.consents },
        Method(
            "consent.answer", .changes, [], against: [],
            Form(
                "`{request,allow}`",
                gives: "`{}`: what is stored may be read, or (`stream` in the request) what comes "
                    + "may be published at once as well")
        ) { fields, _ in ServiceCommand.answer(&fields) },
        Method(
            "access.log", .reads, [],
            Form(
                "`{before?,limit?}`",
                gives:
                    "`{entries:[{id,at,what,service?,company?,user?,name?,share?,data?,from?,to?,"
                    + "count?}],next}`: what services asked for, read and were sent, who looked "
                    + "at you, and what dispatch "
                    + "was told (`called`, `read-for-help`), the newest first, "
                    + "at most 100 (usually 50); `next` is the `before` of the next page, `null` "
                    + "at the end")
        ) { fields, _ in ServiceCommand.log(&fields) },
    ]

    private static let ofServices = [
        Method(
            "data.request", .changes, [.notPeople, .services, .password],
            against: [.changes, .answers],
            Form(
                "`{user,reason}`",
                gives: "`{state}`: `granted` if the user agreed before, `silenced` if they have "
                    + "refused the company twice, otherwise `pending`, whether or not there is "
                    + "such a user"),
            Form(
                "`{ssn,reason}`",
                gives:
                    "`{state,user?}`: asks all who have said that the number is theirs; `pending` "
                    + "also if nobody has, and without `user` until it is `granted`")
        ) { fields, _ in ServiceCommand.request(&fields) },
        Method(
            "data.users", .reads, [.notPeople, .services],
            Form(
                "`{after?}`",
                gives:
                    "`{users:[{user,since,stream,subscribed}],next}`: those who agree, at most 100, the "
                    + "first to do so first; `next` is the `after` of the next page, `null` at the end"
            )
        ) { fields, _ in ServiceCommand.users(&fields) },
        Method(
            "data.get", .reads, [.notPeople, .services, .secretAnswer],
            Form(
                "`{user,last?,cursor?}`",
                gives: "`{samples:[Fix or Vitals…],next}`: the `last` (1 to 500, usually 100) that "
                    + "have arrived, the newest first, if there are so many; `next` is "
                    + "the `cursor` of the next page, `null` at the end")
        ) { fields, _ in ServiceCommand.read(&fields) },
        Method(
            "data.subscribe", .changes, [.notPeople, .services], against: [.changes, .answers],
            Form(
                "`{user,reason?}`",
                gives: "`{topic,state}`: where the user's samples are published with QoS 0: from "
                    + "now on (`granted`), once the user has agreed to that as well (`pending`), "
                    + "or never (`silenced`)")
        ) { fields, _ in ServiceCommand.subscribe(&fields) },
        Method(
            "data.unsubscribe", .changes, [.notPeople, .services], against: [],
            Form("`{user}`", gives: "`{}`")
        ) { fields, _ in fields.name("user").map { ServiceCommand.unsubscribe($0) } },
    ]
}

extension Topic {
    /// What a user's devices measure, for a service.
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
