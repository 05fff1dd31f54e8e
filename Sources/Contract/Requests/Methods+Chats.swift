extension Method {
    static let chats: [Method] = [
        Method("chat.send", .makes, .demo, Form("`{group,text}`", gives: "`{message}`")) {
            fields, _ in Command.sendChat(&fields)
        },
        Method(
            "chat.history", .reads, .demo,
            Form(
                "`{group,before?,limit?}`",
                gives: "`{messages,next}`: the newest first, at most 100 (usually 50) and fewer "
                    + "where they are long; `next` is the `before` of the next page, `null` at "
                    + "the end")
        ) { fields, _ in Command.chatHistory(&fields) },
    ]
}
