import Contract
import Testing
import Tracking

struct GroupMessagesTests {
    @Test func `A group has its members in the order in which they joined`() {
        let group = GroupMessage(
            group: .family, name: "Žagar & Co", members: [(.bob, "Bob"), (.ann, "Ann \"A\"")])
        #expect(
            group.payload.text == """
                {"group":"FamilyFamilyFamily_-09","name":"Žagar & Co",\
                "members":[{"user":"bob","name":"Bob"},{"user":"ann","name":"Ann \\"A\\""}]}
                """)
        #expect(
            GroupMessage(group: .work, name: "W", members: []).payload.text
                == #"{"group":"WorkWorkWorkWorkWork00","name":"W","members":[]}"#)
    }

    @Test func `A user has groups`() {
        #expect(
            UserGroupsMessage(groups: [(.family, "Family"), (.work, "Work")]).payload.text == """
                [{"group":"FamilyFamilyFamily_-09","name":"Family","role":"member"},\
                {"group":"WorkWorkWorkWorkWork00","name":"Work","role":"member"}]
                """)
        #expect(UserGroupsMessage(groups: []).payload.text == "[]")
    }

    @Test func `A notice says what happened, and who did it`() {
        let id = UUIDv7(at: .now, random: (1, 2))
        let notice = Notice(
            id: id, kind: .addedToGroup, group: .family, groupName: "Family", by: .bob)
        #expect(
            notice.payload.text == """
                {"id":"\(id)","kind":"added-to-group","at":"2026-05-01T10:00:00.000Z",\
                "group":"FamilyFamilyFamily_-09","name":"Family","by":"bob"}
                """)
        let byNobody = Notice(
            id: id, kind: .removedFromGroup, group: .family, groupName: "Family", by: nil)
        #expect(
            byNobody.payload.text == """
                {"id":"\(id)","kind":"removed-from-group","at":"2026-05-01T10:00:00.000Z",\
                "group":"FamilyFamilyFamily_-09","name":"Family"}
                """)
    }
}
