internal import Tracking

extension Area {
    /// Where a person is reached while nothing of theirs is connected.
    static let channels = Area(
        "Channels",
        methods: [
            Method(
                "channel.add", .makes, .companies, against: [.changes, .answers],
                Form(
                    #"`{kind:"push",subscription:{endpoint,keys:{p256dh,auth}},label?}`"#,
                    gives: "`{channel}`: this browser; it ends with the login of the device that "
                        + "asks. Added again, it is the same channel"),
                Form(
                    #"`{kind:"mail",address,label?}`"#,
                    gives: "`{channel}`: a code is sent to the address; until `channel.confirm` "
                        + "nothing else is"),
                Form(
                    #"`{kind:"webhook",url,label?}`"#,
                    gives: "`{channel,secret}`: the secret that signs what is sent, told once")
            ) { fields, _ in ChannelCommand.add(&fields) },
            Method(
                "channel.confirm", .changes, .companies, against: [.answers],
                Form("`{channel,code}`", gives: "`{channel}`: the address is theirs")
            ) { fields, _ in ChannelCommand.confirm(&fields) },
            Method(
                "channel.list", .reads, .companies,
                Form(
                    "",
                    gives: "`{channels:[Channel],offered:[kind…],notOffered:[{kind,why}],"
                        + "pushKey}`: `pushKey` is the `applicationServerKey` for "
                        + "`PushManager.subscribe`; `why` is a sentence")
            ) { _, _ in ChannelCommand.list },
            Method(
                "channel.update", .changes, .companies,
                Form(
                    "`{channel,news?:[…],label?,quiet?:{from,to,timeZone}}`",
                    gives: "`{channel}`: with `quiet` what is no call for help waits from one "
                        + "time of day to another (`22:00`, `07:00`, `Europe/Zurich`)"),
                Form("`{channel,quiet:null}`", gives: "`{channel}`: without quiet hours")
            ) { fields, _ in ChannelCommand.update(&fields) },
            Method(
                "channel.test", .makes, .companies, against: [.changes, .answers],
                Form(
                    "`{channel}`",
                    gives: "`{message}`: the id of what is being sent; `channel.list` says whether "
                        + "it worked")
            ) { fields, _ in fields.uuid("channel").map { ChannelCommand.test($0) } },
            Method(
                "channel.remove", .changes, .companies, against: [],
                Form("`{channel}`", gives: "`{}`")
            ) { fields, _ in fields.uuid("channel").map { ChannelCommand.remove($0) } },
        ],
        exports: [
            ExportList("channel", "where you are reached")
        ])
}
