internal import Tracking

extension Area {
    /// Channels reach a person while none of their devices is connected.
    static let channels = Area(
        "Channels",
        methods: [
            Method(
                "channel.add", .makes, .companies, against: [.changes, .answers],
                ChannelCommand.addition,
                gives: "`{channel}`: this browser, until the requesting device is logged out; "
                    + "adding it again gives the same channel",
                "`{channel}`: a code is sent to the address, and nothing else until "
                    + "`channel.confirm`",
                "`{channel,secret}`: the secret that signs messages, returned only once"),
            Method(
                "channel.confirm", .changes, .companies, against: [.answers],
                ChannelCommand.confirmation, gives: "`{channel:Channel}`: the address is confirmed"),
            Method(
                "channel.list", .reads, .companies, Form { ChannelCommand.list },
                gives: "`{channels:[Channel],offered:[kind…],notOffered:[{kind,why}],pushKey}`: "
                    + "`pushKey` is the `applicationServerKey` for `PushManager.subscribe`; "
                    + "`why` is a sentence"),
            Method(
                "channel.update", .changes, .companies, ChannelCommand.change,
                gives: "`{channel:Channel}`"),
            Method(
                "channel.test", .makes, .companies, against: [.changes, .answers],
                Form(Form("channel", .uuid)) { ChannelCommand.test($0) },
                gives: "`{message}`: the id of what is being sent; `channel.list` shows whether "
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
