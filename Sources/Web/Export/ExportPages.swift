internal import Contract
internal import HTTPTypes

/// What is stored about the visitor, as `account.export` tells it, page by page.
struct ExportPages: Sendable {
    let gateway: RequestGateway
    let visitor: Visitor
    let user: Name

    /// A page, and from where it was asked for.
    struct Page: Sendable {
        let cursor: JSONValue
        let items: [JSONValue]
        /// Null after the last one.
        let next: JSONValue
    }

    func page(at cursor: JSONValue) async throws(Refusal) -> Page {
        let members = cursor == .null ? [] : [JSONValue.Member(key: "cursor", value: cursor)]
        let result = try await gateway.ask(visitor, "account.export", .object(members))
        guard case .array(let items) = result["items"] else {
            throw Refusal(.badGateway, "The answer cannot be read.")
        }
        return Page(cursor: cursor, items: items, next: result["next"] ?? .null)
    }
}
