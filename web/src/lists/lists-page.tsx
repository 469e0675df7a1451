import { useEffect } from 'react';
import { Route, Routes } from 'react-router';
import NotFoundPage from '../pages/not-found/not-found-page';
import { forgetOldFiles } from './kept-files';
import { ListPage } from './list-page';
import { ListsHome } from './lists-home';

/** `/lists`: a new list and those before; `/lists/<id>`: one of them. */
export default function ListsPage() {
  useEffect(() => {
    void forgetOldFiles();
  }, []);
  return (
    <Routes>
      <Route index element={<ListsHome />} />
      <Route path=":list" element={<ListPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
