internal import Languages

extension NoticeKind {
    static let numberClaimed = NoticeKind(
        "number-claimed", share: .account, latest: .ofPerson, says: .text(.numberClaimed))
    static let vitalsEnded = NoticeKind("vitals-ended", says: .text(.vitalsEnded))
}

extension Notice.News {
    /// Another person has entered the number in the user's health profile as theirs.
    public static let numberClaimed = Notice.News(.numberClaimed)
    /// For a service: a user's vital signs are deleted, and no longer stored.
    public static let vitalsEnded = Notice.News(.vitalsEnded)
}
