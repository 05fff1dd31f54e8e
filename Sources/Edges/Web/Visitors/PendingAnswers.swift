/// Callers on a visitor connection that wait for an answer, in order of arrival. Each is answered
/// once, at its deadline at the latest.
struct PendingAnswers<Item, Value> {
    private struct Entry {
        var item: Item
        let deadline: Duration
        let answer: VisitorConnections.Answer<Value>
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    mutating func add(
        _ item: Item, until deadline: Duration, _ answer: @escaping VisitorConnections.Answer<Value>
    ) {
        entries.append(Entry(item: item, deadline: deadline, answer: answer))
    }

    /// Visits all items in order, and answers those for which there is a result.
    ///
    /// - Parameter result: may change the item; nil leaves it waiting.
    mutating func answer(_ result: (inout Item) -> Result<Value, Refusal>?) {
        answerEntries { entry in result(&entry.item) }
    }

    mutating func answerAll(_ result: Result<Value, Refusal>) {
        answerEntries { _ in result }
    }

    /// Refuses callers whose deadline has passed.
    mutating func expire(at now: Duration, _ refusal: Refusal) {
        expire(at: now, .failure(refusal))
    }

    /// Answers callers whose deadline has passed.
    mutating func expire(at now: Duration, _ result: Result<Value, Refusal>) {
        answerEntries { $0.deadline <= now ? result : nil }
    }

    private mutating func answerEntries(_ result: (inout Entry) -> Result<Value, Refusal>?) {
        var waiting: [Entry] = []
        var answers: [() -> Void] = []
        for var entry in entries {
            if let result = result(&entry) {
                answers.append { [entry] in entry.answer(result) }
            } else {
                waiting.append(entry)
            }
        }
        entries = waiting
        for answer in answers { answer() }
    }
}
