internal import Contract
internal import ExportFiles
internal import JSON
internal import Tracking

/// The pages of `account.export` as the source of an archive.
///
/// Nothing is stored here: long lists are requested twice, paths three times, and fixes four times:
/// once to locate them, or to find the times that each page covers, and then once for each list or
/// file. Only some of the newest fixes are kept.
final class PagedExport: ExportSource {
    enum Locator {
        /// The page with this cursor.
        case page(JSONValue)
        /// In order of arrival.
        case kept([Fix])
    }

    let user: Name
    let displayName: String
    let devices: [Name]
    private let pages: ExportPages
    private let first: ExportPages.Page
    /// The cursors of the pages with the first path and the first fix; nil if there are none.
    private var paths: JSONValue?
    private var fixes: JSONValue?
    /// The cursor of the first page with items of a long list, and the number of items.
    private var long: [String: (cursor: JSONValue, count: Int)] = [:]
    /// The locations of each device's fixes; nil until they are known.
    private var histories: [Name: [HistoryPart<Locator>]]?
    private var keptCount = 0
    /// The number of fixes in memory, besides those of pages that may change.
    private let maximumKept: Int

    /// - Parameters:
    ///   - first: the first page, which has the account and all devices.
    ///   - maximumKept: the maximum number of fixes kept in memory from the first reading on; the
    ///     default takes about 2 MB.
    init(
        _ pages: ExportPages, of user: Name, beginningWith first: ExportPages.Page,
        keeping maximumKept: Int = 20_000
    ) {
        self.maximumKept = maximumKept
        self.pages = pages
        self.user = user
        self.first = first
        displayName = first.items.first { $0.type == "account" }?.text("name") ?? user.text
        devices = first.items.filter { $0.type == "device" }
            .compactMap { $0.text("device").flatMap { Name($0) } }
    }

    // MARK: The account

    func eachAccountItem(_ body: (ExportItem) async throws -> Void) async throws {
        _ = try await note(first, body)
        guard fixes == nil, first.next != .null else { return }
        try await pages.each(from: first.next) { page in try await note(page, body) }
    }

    /// - Returns: whether there may be more on the next page: fixes come last.
    private func note(
        _ page: ExportPages.Page, _ body: (ExportItem) async throws -> Void
    ) async throws -> Bool {
        for item in page.items {
            switch item.type {
            case "path": paths = paths ?? page.cursor
            case "fix": fixes = fixes ?? page.cursor
            case let type where ExportList.of(type)?.isLong == true:
                long[type, default: (page.cursor, 0)].count += 1
            default: try await body(ExportItem(type: item.type, payload: item.json))
            }
        }
        return fixes == nil
    }

    func eachItem(
        of list: ExportList, _ body: (ExportItem) async throws -> Void
    ) async throws {
        guard let (cursor, count) = long[list.type] else { return }
        var rest = count
        try await pages.each(from: cursor) { page in
            let found = page.items.filter { $0.type == list.type }
            for item in found { try await body(ExportItem(type: item.type, payload: item.json)) }
            rest -= found.count
            // New items may have moved the last ones to a later page.
            let isOver = rest <= 0 && found.isEmpty
            return !isOver && !page.items.contains { $0.type == "fix" }
        }
    }

    // MARK: Paths

    func eachPath(_ body: (ExportItem.Path) async throws -> Void) async throws {
        guard let paths else { return }
        try await pages.each(from: paths) { page in
            let items = page.items.drop { $0.type != "path" }
            for item in items where item.type == "path" {
                guard let path = ExportItem.Path(item) else { throw Refusal.unreadable }
                try await body(path)
            }
            // Other items follow the last path.
            return items.allSatisfy { $0.type == "path" }
        }
    }

    // MARK: Fixes

    func history(of device: Name) async throws -> [HistoryPart<Locator>] {
        if histories == nil { histories = try await index() }
        return histories?[device] ?? []
    }

    private func index() async throws -> [Name: [HistoryPart<Locator>]] {
        var histories: [Name: [HistoryPart<Locator>]] = [:]
        guard let fixes else { return [:] }
        try await pages.each(from: fixes) { page in
            // Other items after the first fix would be in no file.
            guard page.items.drop(while: { $0.type != "fix" }).allSatisfy({ $0.type == "fix" })
            else { throw Refusal.unreadable }
            for device in devices {
                let found = try page.fixes(of: device)
                guard let earliest = found.map(\.takenAt).min() else { continue }
                // The page on which a device begins will contain newer fixes as they arrive.
                let mayChange = histories[device] == nil
                let isKept = mayChange || keptCount + found.count <= maximumKept
                if isKept, !mayChange { keptCount += found.count }
                histories[device, default: []].append(
                    HistoryPart(isKept ? .kept(found) : .page(page.cursor), earliest: earliest))
            }
            return true
        }
        // The newest are first.
        return histories.mapValues { $0.reversed() }
    }

    func fixes(at locator: Locator, of device: Name) async throws -> [Fix] {
        switch locator {
        case .kept(let fixes): fixes
        case .page(let cursor): try await pages.page(at: cursor).fixes(of: device)
        }
    }
}

extension ExportPages.Page {
    /// - Returns: in order of arrival.
    fileprivate func fixes(of device: Name) throws(Refusal) -> [Fix] {
        var fixes: [Fix] = []
        for item in items.reversed() where item.type == "fix" && item.text("device") == device.text
        {
            guard let fix = item["fix"].flatMap({ Fix(exported: $0) }) else { throw .unreadable }
            fixes.append(fix)
        }
        return fixes
    }
}
