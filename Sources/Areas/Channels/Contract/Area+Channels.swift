internal import Tracking

extension Area {
    /// Where a person is reached while nothing of theirs is connected.
    static let channels = Area(
        "Channels",
        methods: [
            Method(
                "channel.add", .makes, .companies, against: [.changes, .answers],
                ChannelCommand.addition,
                gives: "`{channel}`: this browser, until the device that asks is logged out; "
                    + "added again, it is the same channel",
                "`{channel}`: a code is sent to the address, and nothing else before "
                    + "`channel.confirm`",
                "`{channel,secret}`: the secret that signs what is sent, shown only once"),
            Method(
                "channel.confirm", .changes, .companies, against: [.answers],
                ChannelCommand.confirmation, gives: "`{channel}`: the address is confirmed"),
            Method(
                "channel.list", .reads, .companies, Form { ChannelCommand.list },
                gives: "`{channels:[Channel],offered:[kind…],notOffered:[{kind,why}],pushKey}`: "
                    + "`pushKey` is the `applicationServerKey` for `PushManager.subscribe`; "
                    + "`why` is a sentence"),
            Method(
                "channel.update", .changes, .companies, ChannelCommand.change,
                gives: "`{channel}`"),
            Method(
                "channel.test", .makes, .companies, against: [.changes, .answers],
                Form(Form("channel", .uuid)) { ChannelCommand.test($0) },
                gives: "`{message}`: the id of what is being sent; `channel.list` says whether "
                    + "it worked"),
            Method(
                "channel.remove", .changes, .companies, against: [],
                Form(Form("channel", .uuid)) { ChannelCommand.remove($0) }, gives: "`{}`"),
        ],
        notices: [.channelAdded, .channelRemoved, .channelLost],
        exports: [
            ExportList("channel", "where you are reached")
        ])
}
