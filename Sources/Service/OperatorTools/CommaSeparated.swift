/// A table in a text file (RFC 4180), as spreadsheets export it: with commas, semicolons or tabs,
/// as its first row has them, with or without a byte order mark.
public struct CommaSeparated: Sendable {
    public struct Row: Hashable, Sendable {
        /// The number of its first line in the file, from 1.
        public let line: Int
        public let values: [String]
    }

    /// The first row.
    public let columns: [String]
    /// The rows with at least one value that is not empty.
    public let rows: [Row]

    /// - Returns: nil if a quotation mark stays open, or the first row is missing.
    public init?(_ text: String) {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : Substring(text)
        let first = text.prefix { !$0.isNewline }
        let separator = ([",", ";", "\t"] as [Character]).max { left, right in
            first.count { $0 == left } < first.count { $0 == right }
        }
        guard let rows = CommaSeparated.rows(of: text, separator ?? ","), let head = rows.first
        else { return nil }
        columns = head.values.map { $0.lowercased() }
        self.rows = Array(rows.dropFirst())
    }

    private static func rows(of text: Substring, _ separator: Character) -> [Row]? {
        var (rows, values, value) = ([Row](), [String](), "")
        var (line, start, isQuoted) = (1, 1, false)
        var index = text.startIndex
        func end() {
            values.append(value.trimmed)
            value = ""
        }
        func endRow() {
            end()
            if values.contains(where: { !$0.isEmpty }) {
                rows.append(Row(line: start, values: values))
            }
            values = []
        }
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            if character.isNewline { line += 1 }
            if isQuoted {
                guard character == "\"" else {
                    value.append(character)
                    continue
                }
                // A doubled quotation mark stands for one.
                if index < text.endIndex, text[index] == "\"" {
                    value.append("\"")
                    index = text.index(after: index)
                } else {
                    isQuoted = false
                }
            } else if character == "\"", value.trimmed.isEmpty {
                (isQuoted, value) = (true, "")
            } else if character == separator {
                end()
            } else if character.isNewline {
                endRow()
                start = line
            } else {
                value.append(character)
            }
        }
        endRow()
        return isQuoted ? nil : rows
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
