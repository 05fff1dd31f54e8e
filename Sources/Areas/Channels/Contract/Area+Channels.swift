internal import Tracking

extension Area {
    /// Channels reach a person while none of their devices is connected.
    static let channels = Area(
        "Channels",
        methods: [
            Method(
                "channel.add", .makes, .companies, against: [.changes, .answers],
                ChannelCommand.addition,
                result: ChannelResult.added.schema,
                gives: "this browser, until the requesting device is logged out; adding it again "
                    + "gives the same channel, without `secret`",
                "the same without `secret`: a code is sent to the address, and nothing else until "
                    + "`channel.confirm`",
                "the same with `secret`, which signs messages and is returned only once"),
            Method(
                "channel.confirm", .changes, .companies, against: [.answers],
                ChannelCommand.confirmation, result: ChannelResult.channel.schema,
                gives: "the address is confirmed"),
            Method(
                "channel.list", .reads, .companies, Form { ChannelCommand.list },
                result: ChannelResult.list.schema,
                gives: "`pushKey` is the `applicationServerKey` for `PushManager.subscribe`; "
                    + "`why` is a sentence"),
            Method(
                "channel.update", .changes, .companies, ChannelCommand.change,
                result: ChannelResult.channel.schema),
            Method(
                "channel.test", .makes, .companies, against: [.changes, .answers],
                Form(Form("channel", .uuid)) { ChannelCommand.test($0) },
                result: ChannelResult.message.schema,
                gives: "the id of what is being sent; `channel.list` shows whether "
                    + "it worked"),
            Method(
                "channel.remove", .changes, .companies, against: [],
                Form(Form("channel", .uuid)) { ChannelCommand.remove($0) }, gives: "`{}`"),
        ],
        notices: [.channelAdded, .channelRemoved, .channelLost],
        exports: [
            ExportList("channel", "where you can be reached")
        ],
        payloads: [Channel.payload.row])
}
