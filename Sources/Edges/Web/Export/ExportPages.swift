internal import Contract
internal import HTTPTypes
internal import JSON

/// Everything stored about a user, read page by page with `account.export`.
struct ExportPages: Sendable {
    /// Makes the request, whose only field is the cursor, and returns the result.
    let ask: @Sendable (JSONValue) async throws(Refusal) -> JSONValue

    /// A page and the cursor with which it was requested.
    struct Page: Sendable {
        let cursor: JSONValue
        let items: [JSONValue]
        /// Null on the last page.
        let next: JSONValue
    }

    func page(at cursor: JSONValue) async throws(Refusal) -> Page {
        let members = cursor == .null ? [] : [JSONValue.Member(key: "cursor", value: cursor)]
        let result = try await ask(.object(members))
        guard case .array(let items) = result["items"] else { throw .unreadable }
        return Page(cursor: cursor, items: items, next: result["next"] ?? .null)
    }

    /// Calls `body` with one page after the other, until it returns false.
    func each(from cursor: JSONValue, _ body: (Page) async throws -> Bool) async throws {
        var cursor = cursor
        repeat {
            let page = try await page(at: cursor)
            guard try await body(page) else { return }
            cursor = page.next
        } while cursor != .null
    }
}

extension Refusal {
    /// The bridge's response cannot be parsed.
    static let unreadable = Refusal(.badGateway, "The answer cannot be read.")
}
