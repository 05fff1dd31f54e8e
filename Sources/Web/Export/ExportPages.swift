internal import Contract
internal import HTTPTypes

/// Everything stored about the visitor, read page by page with `account.export`.
struct ExportPages: Sendable {
    let gateway: RequestGateway
    let visitor: Visitor
    let user: Name

    /// A page and the cursor with which it was requested.
    struct Page: Sendable {
        let cursor: JSONValue
        let items: [JSONValue]
        /// Null on the last page.
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
