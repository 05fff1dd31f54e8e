/// The results of requests about groups' chats.
public enum ChatResult {
    public static let sent = Payload<ChatMessage>(
        .init("message", .object(ChatMessage.payload)) { $0 })

    public static let history = Payload.page("messages", of: ChatMessage.payload)
}
